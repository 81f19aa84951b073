import { expect } from "chai";
import type { Side } from "../support/host";
import { describeIn, javascript, yaml } from "./harness/languages";
import { contents, leaked } from "./harness/shown-text";
import type { Argument, Program } from "./harness/program";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const SERVICE = "a-service-of-ours";
const [FIRST, SECOND] = ["branch/one-of-ours", "branch/two-of-ours"] as const;
const [THERE, MISSING] = ["A_NAME_THAT_IS_THERE", "A_NAME_THAT_IS_MISSING"] as const;
const hidden = [SERVICE, FIRST, SECOND, THERE, MISSING];

const secret = ($secret: string): Argument => ({ $secret });

/** Worth its CLI calls: the engine encrypts by rules of its own, and shows what it does not encrypt. */
function shownNowhere(this: Mocha.Suite, side: Side): void {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environmentId: string;

  const program = (branches: Argument, required: string, value = "1"): Program => ({
    resources: [
      {
        type: "EnvironmentBranches",
        name: "branches",
        args: { environmentId, branches, rebuildOn: [], requires: [secret(required)], onDestroy: "restore" },
      },
      {
        type: "EnvVarSet",
        name: "vars",
        args: {
          environmentId,
          variables: { A: value },
          services: [secret(SERVICE)],
          scopes: { A: [secret(SERVICE), "web"] },
        },
      },
    ],
  });

  before(async () => {
    environmentId = engine.environment({ variables: [{ name: THERE, value: "1" }] });
    project = await engine.project({ language: side === "dynamic" ? javascript("dynamic") : yaml() });
  });

  afterEach("nothing printed or stored shows a secret", () => {
    for (const { args, text } of project.runs) expect(leaked(text, hidden), args.join(" ")).to.deep.equal([]);
    for (const { file, text } of contents(project.stores)) expect(leaked(text, hidden), file).to.deep.equal([]);
  });

  it("are not in the progress of a build, nor in what its environment shows, be it refreshed", async () => {
    project.write(program({ web: secret(FIRST) }, THERE));
    const { text } = await project.up("--diff");
    expect(text).to.include("switching to web@[secret]");
    expect(project.export()).to.include("projects");
    await project.refresh("--diff");
  });

  it("are not in warnings and errors", async () => {
    engine.sandbox.faults.add({ refuse: { A: `there is no service ${SERVICE}` } });
    project.write(program({ web: secret(SECOND) }, MISSING, "2"));
    expect((await project.preview("--diff")).text).to.include("lacks the variable [secret]");
    const { text } = await project.failedUp("--diff", "--continue-on-error");
    expect(text).to.include("lacks the variable [secret]").and.include("there is no service [secret]");
  });

  it("are not there after a build that failed, nor once they are declared no more", async () => {
    engine.sandbox.world.failNextBuild(environmentId);
    project.write(program({ web: secret(SECOND) }, THERE, "2"));
    await project.failedUp("--diff");
    await project.refresh("--diff");
    await project.up("--refresh", "--diff");
    project.write(program({ api: "main" }, THERE, "2"));
    await project.up("--diff");
    await project.up("--refresh", "--diff");
    expect(engine.sandbox.world.environments.get(environmentId)?.projects[0]?.branch).to.equal(SECOND);
    await project.destroy("--diff");
  });
}

describe("engine: secrets among inputs that are none by their declaration (dynamic)", function () {
  shownNowhere.call(this, "dynamic");
});

describeIn(
  "yaml",
  "engine: secrets among inputs that are none by their declaration, of a YAML program (native)",
  function () {
    shownNowhere.call(this, "native");
  },
);
