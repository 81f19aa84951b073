import { expect } from "chai";
import { javascript, describeIn, yaml } from "./harness/languages";
import { branches, type Program, type ResourceEntry, set } from "./harness/program";
import type { Project } from "./harness/project";
import { useEngine } from "./harness/suite";

const TOKEN = "token-of-the-organization";
const SECRETS = { PASSWORD: "correct horse battery" };

/** Worth its CLI calls: which resource is which, and what a changed provider means to it, is the engine's choice. */
describeIn("yaml", "engine: a stack moves between the hosts and to YAML", function () {
  const engine = useEngine(this, { token: TOKEN });

  const resources = (environmentId: string, otherId: string, shown: string): readonly ResourceEntry[] => [
    set("vars", { environmentId, variables: { SHOWN: shown }, secrets: SECRETS }),
    { type: "EnvVar", name: "single", args: { environmentId, name: "SINGLE", value: "another secret" } },
    branches("branches", { environmentId, branches: { web: "feature/one" }, onDestroy: "restore" }),
    { type: "EnvironmentState", name: "state", args: { environmentId, state: "running" } },
    { type: "EnvironmentAction", name: "action", args: { environmentId: otherId, action: "rebuild" } },
    { type: "SnapshotLoad", name: "snapshot", args: { environmentId: otherId, sequenceNumber: 1 } },
  ];

  /** The YAML host takes the alias from the schema. Hosts of earlier years need it in the program. Half of them each. */
  const aliased = (entry: ResourceEntry, index: number): ResourceEntry =>
    index % 2 === 0
      ? entry
      : { ...entry, options: { aliases: [{ type: `pulumi-nodejs:dynamic/previewenv:${entry.type}` }] } };

  /** An `up` that asks the service nothing, and makes, replaces and deletes no resource. */
  const moves = async (project: Project, program: Program): Promise<void> => {
    project.write(program);
    let text = "";
    expect(await engine.requests(async () => ({ text } = await project.up()))).to.deep.equal({});
    expect(text).not.to.match(/create|replace|delete|warning/u);
  };

  it("without replacing anything, and without a request to the service", async () => {
    const env = { PREVIEWENV_API_TOKEN: undefined, PREVIEWENV_BASE_URL: undefined };
    const project = await engine.project({ language: javascript("dynamic"), env });
    project.configure({ "previewenv:baseUrl": engine.sandbox.url });
    await project.succeed("config", "set", "--secret", "previewenv:apiToken", TOKEN);
    const environmentId = engine.environment();
    const otherId = engine.environment();
    const program = (shown: string): Program => ({ resources: resources(environmentId, otherId, shown) });
    project.write(program("one"));
    await project.up();

    project.speak(yaml());
    await moves(project, { resources: resources(environmentId, otherId, "one").map(aliased) });

    project.speak(javascript("native"));
    await moves(project, program("one"));
    project.write(program("two"));
    expect(await engine.sent(() => project.up())).to.deep.equal([["SHOWN"]]);
    // Reads every resource anew: nothing of the dynamic provider is left in state.
    await project.refresh();
    expect(project.export()).not.to.include("pulumi-nodejs").and.not.to.include("__provider");

    project.speak(javascript("dynamic"));
    await moves(project, program("two"));
    expect((await project.drift()).code).to.equal(0);
    expect(project.export()).not.to.include(SECRETS.PASSWORD).and.not.to.include(TOKEN);
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
    expect(engine.sandbox.world.environments.get(environmentId)?.projects[0]?.branch).to.equal("main");
  });
});
