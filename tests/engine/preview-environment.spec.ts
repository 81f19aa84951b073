import { expect } from "chai";
import { javascript } from "./harness/languages";
import type { Argument, Program } from "./harness/program";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const SECRET = "postgres://preview:tiger-4711@db.example/shop";

/** What mocks cannot show: the order of requests, `ignoreChanges`, URNs of children, and what a component stores. */
describe("engine: PreviewEnvironment", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environmentId: string;
  let environment: Record<string, Argument>;

  const sets = (level: string): Record<string, Argument> => ({
    app: { variables: { LOG_LEVEL: level } },
    database: { secrets: { DATABASE_URL: SECRET }, services: ["web"] },
  });
  const program = (
    level: string,
    args: Record<string, Argument> = {},
    { name = "shop", ...options }: Record<string, Argument> & { readonly name?: string } = {},
  ): Program => ({
    resources: [
      {
        type: "PreviewEnvironment",
        name,
        args: { environment, variableSets: sets(level), branches: { web: "feature/checkout" }, ...args },
        options,
      },
    ],
    outputs: Object.fromEntries(
      ["environmentId", "url", "name", "projects"].map((output) => [output, { $output: [name, output] }]),
    ),
  });
  const builds = (): number => engine.sandbox.world.builds(environmentId).length;
  /** What an `up` of a program asks for that changes something, in its order. */
  const written = async (one: Program): Promise<readonly string[]> => {
    project.write(one);
    const mark = engine.sandbox.journal.mark();
    await project.up();
    const labels = engine.sandbox.journal.since(mark).map(({ label }) => label);
    return labels.filter((label) => !label.startsWith("GET "));
  };

  before(async () => {
    environmentId = engine.environment({ name: "component" });
    environment = { name: "component", repoName: "web" };
    project = await engine.project({ language: javascript("dynamic") });
  });

  it("writes all variables, then deploys the branches with one build, and gives its outputs", async () => {
    const before = builds();
    const labels = await written(program("debug"));

    expect(labels.slice(0, -1)).to.deep.equal(["PUT /env-vars", "PUT /env-vars"]);
    expect(labels.at(-1)).to.match(/^PATCH/u);
    expect(builds() - before).to.equal(1);
    expect(engine.values(environmentId)).to.deep.equal({ LOG_LEVEL: "debug", DATABASE_URL: SECRET });
    const outputs: unknown = JSON.parse((await project.succeed("stack", "output", "--json")).stdout);
    const url = engine.sandbox.world.environments.get(environmentId)?.url;
    expect(outputs).to.include({ environmentId, name: "component", url });
    expect(outputs).to.have.nested.property("projects[0].branch", "feature/checkout");
  });

  it("stores no secret in plain, in no resource", async () => {
    expect(project.export()).not.to.include("tiger-4711");
  });

  it("changes nothing when nothing changed, and rebuilds once when a variable did", async () => {
    expect(await written(program("debug"))).to.deep.equal([]);
    const before = builds();

    expect(await written(program("info"))).to.deep.equal(["PUT /env-vars", "POST /rebuild"]);
    expect(builds() - before).to.equal(1);
  });

  it("stopped: writes the variables, then stops, and neither builds nor touches the branches", async () => {
    const before = builds();
    const asleep = program("warn", { branches: { web: "next" }, state: "stopped" });

    expect(await written(asleep)).to.deep.equal(["PUT /env-vars", "POST /stop"]);
    expect(await written(asleep)).to.deep.equal([]);
    expect(builds() - before).to.equal(0);
    expect(engine.values(environmentId)["LOG_LEVEL"]).to.equal("warn");
  });

  it("running again: wakes the environment first, then deploys what waited", async () => {
    const labels = await written(program("error", { branches: { web: "next" }, state: "running" }));

    expect(labels[0]).to.equal("POST /restart");
    expect(labels.slice(-2)[0]).to.equal("PUT /env-vars");
    expect(labels.at(-1)).to.match(/^PATCH/u);
    const { stopped, projects } = engine.sandbox.world.environments.get(environmentId) ?? {};
    expect([stopped, projects?.[0]?.branch]).to.deep.equal([false, "next"]);
  });

  it("renamed with an alias: nothing is written; without one: no variable is lost", async () => {
    const now = { branches: { web: "next" }, state: "running" };
    const values = engine.values(environmentId);

    expect(await written(program("error", now, { name: "store", aliases: [{ name: "shop" }] }))).to.deep.equal([]);
    await written(program("error", now, { name: "market" }));

    expect(engine.values(environmentId)).to.deep.equal(values);
  });

  it("destroyed: its variables go", async () => {
    await project.destroy();

    expect(engine.values(environmentId)).to.deep.equal({});
  });

  it("says once what is wrong when no environment matches", async () => {
    project.write(program("debug", { environment: { name: "nowhere" } }));

    const { text } = await project.failedUp();

    const [, diagnostics = ""] = text.split("Diagnostics:");
    expect(diagnostics.split('no environment matched name "nowhere"'), text).to.have.length(2);
    expect(text).not.to.match(/^\s+at /mu);
  });
});
