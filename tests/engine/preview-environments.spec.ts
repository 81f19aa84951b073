import { expect } from "chai";
import { javascript } from "./harness/languages";
import type { Argument, Program } from "./harness/program";
import type { Project } from "./harness/project";
import { useEngine } from "./harness/suite";

/** What mocks cannot show: what the engine deletes when environments come, go, sleep and fail, and the requests of all of it. Over the native
 * plugin: every-pull-request.outside.spec.ts. */
describe("engine: PreviewEnvironments", function () {
  const engine = useEngine(this);
  let project: Project;
  const ids = new Map<string, string>();

  const open = (name: string): void => {
    const projects = [{ repoName: "fleet", branch: "feature", pullRequestNumber: ids.size + 1 }];
    ids.set(name, engine.environment({ name, projects }));
  };
  const program = (level: string, each: Record<string, Argument> = {}, component = "all"): Program => ({
    resources: [
      {
        type: "PreviewEnvironments",
        name: component,
        args: {
          match: { repoName: "fleet" },
          each: { "*": { variableSets: { app: { variables: { LEVEL: level } } } }, ...each },
        },
      },
    ],
    outputs: { environments: { $output: [component, "environments"] } },
  });
  const up = async (one: Program, code = 0, ...args: readonly string[]): Promise<Record<string, number>> => {
    project.write(one);
    return engine.requests(() => project.end(code, "up", "--yes", "--skip-preview", ...args));
  };
  const levels = (): Record<string, string | undefined> =>
    Object.fromEntries([...ids].map(([name, id]) => [name, engine.values(id)["LEVEL"]]));
  const id = (name: string): string => ids.get(name) ?? "";

  before(async () => {
    for (const name of ["one", "two", "asleep"]) open(name);
    engine.sandbox.world.setFlags(id("asleep"), { stopped: true });
    project = await engine.project({ language: javascript("dynamic") });
  });

  it("lists until it is twice the same, reads and writes each environment once, and builds those that run", async () => {
    const requests = await up(program("1"));

    expect(requests).to.include({ "GET /environments": 2, "GET /env-vars": 3, "PUT /env-vars": 3, "POST /rebuild": 2 });
    expect(levels()).to.deep.equal({ one: "1", two: "1", asleep: "1" });
    const outputs: unknown = JSON.parse((await project.succeed("stack", "output", "--json")).stdout);
    const url = engine.sandbox.world.environments.get(id("one"))?.url;
    expect(outputs)
      .to.have.nested.property("environments[1]")
      .that.deep.equals({ id: id("one"), name: "one", url, pullRequestNumber: 1 });
  });

  it("asks for nothing but the list when nothing changed, in a component of another name too", async () => {
    expect(await up(program("1", {}, "renamed"))).to.deep.equal({ "GET /environments": 2 });
  });

  it("a pull request that closes takes its resources away, and one that opens gets its own", async () => {
    engine.sandbox.world.setFlags(id("one"), { deleted: true });
    open("three");

    const requests = await up(program("1"));

    expect(requests).to.include({ "GET /environments": 2, "PUT /env-vars": 1, "POST /rebuild": 1 });
    expect(levels()).to.include({ two: "1", three: "1" });
    expect(project.export()).not.to.include(id("one"));
  });

  it("what exists keeps its variables when lists lack it, such as one that sleeps, and is taken over later", async () => {
    const fault = engine.sandbox.faults.add({ unlisted: [id("asleep"), id("two")], times: Infinity });
    const requests = await up(program("1"));
    fault.remove();

    expect(requests).to.deep.equal({ "GET /environments": 2, "GET /environment": 2 });
    expect(levels()).to.include({ two: "1", three: "1", asleep: "1" });
    const { text = "" } = project.runs.at(-1) ?? {};
    for (const name of ["two", "asleep"])
      expect(text).to.include(
        `environment ${name} (${id(name)}) exists, and the program declares nothing for it as one of a list any more`,
      );
    expect(project.export()).not.to.include(id("two"));

    await up(program("1"));
    expect(levels()).to.include({ two: "1", three: "1", asleep: "1" });
  });

  it("an environment that `each` fails for keeps what it has, the others are changed, and the run fails", async () => {
    await up(program("2", { two: { $throw: "no idea" } }), 1);

    expect(levels()).to.include({ two: "1", three: "2", asleep: "2" });
    expect(project.runs.at(-1)?.text).to.include(`"two" (${id("two")}): Error: no idea`);
  });

  it("a refused variable does not keep the others from theirs, with --continue-on-error, and a set that goes waits for the next up", async () => {
    const sets = { app: { variables: { LEVEL: "1" } }, more: { variables: { MORE: "1" } } };
    await up(program("2", { two: { variableSets: sets } }));
    engine.sandbox.faults.add({
      refuse: { LEVEL: "too long" },
      match: ({ environmentId }) => environmentId === id("two"),
    });

    await up(program("3"), 1, "--continue-on-error");

    expect(levels()).to.include({ two: "1", three: "3", asleep: "3" });
    expect(engine.values(id("two"))).to.have.property("MORE");
    const { text } = project.runs.at(-1) ?? {};
    expect(text).to.include("not deleted, because a create or update of environment").and.not.include("integrity");
    expect(await up(program("3"))).to.include({ "PUT /env-vars": 1, "POST /rebuild": 1, "DELETE /env-vars": 1 });
    expect(engine.values(id("two"))).to.deep.equal({ LEVEL: "3" });
  });

  it("a destroy that runs the program cannot be told from an up without environments: it says what it keeps", async () => {
    await project.destroy("--run-program");
    expect(levels()).to.include({ two: "3", three: "3", asleep: "3" });
    expect(project.runs.at(-1)?.text).to.include(
      `(${id("three")}) exists, and the program declares nothing for it as one of a list any more`,
    );
  });

  it("a set that goes deletes its variables, also as the last one beside the state of a listed environment", async () => {
    await up(program("3"));
    await up(program("3", { two: { state: "running" } }));
    expect(levels()).to.include({ two: undefined, three: "3", asleep: "3" });
  });

  it("a destroy deletes", async () => {
    await up(program("3"));
    const requests = await engine.requests(() => project.destroy());
    expect(requests).to.include({ "DELETE /env-vars": 3 });
    expect(levels()).to.include({ two: undefined, three: undefined, asleep: undefined });
  });
});
