import { expect } from "chai";
import { javascript, onBothHosts } from "./harness/languages";
import { type Argument, type Program, set } from "./harness/program";
import type { Project } from "./harness/project";
import { useEngine } from "./harness/suite";

const SECRET = "postgres://preview:tiger-4711@db.example/shop";
const COMPONENT = "previewenv:index:PreviewEnvironment";
const CHILDREN = ["shop-app", "shop-database", "shop-branches"];

/** What mocks cannot show: the order of requests, what a preview shows of the children, and what a component stores. */
onBothHosts("engine: PreviewEnvironment", function (side, language) {
  const engine = useEngine(this);
  let project: Project;
  let environmentId: string;
  let besideId: string;

  const program = (
    level: string,
    args: Record<string, Argument> = {},
    { name = "shop", ...options }: Record<string, Argument> & { readonly name?: string } = {},
  ): Program => ({
    resources: [
      set("beside", { environmentId: besideId, variables: { A: "1" } }),
      {
        type: "PreviewEnvironment",
        name,
        args: {
          environment: { name: "component", repoName: "web" },
          variableSets: {
            app: { variables: { LOG_LEVEL: level, REVISION: { $output: ["beside", "revision"] } } },
            database: { secrets: { DATABASE_URL: { $secret: SECRET } }, services: ["web"] },
          },
          branches: { web: "feature/checkout" },
          requires: ["LOG_LEVEL"],
          ...args,
        },
        options,
      },
    ],
    outputs: Object.fromEntries(["environmentId", "url"].map((output) => [output, { $output: [name, output] }])),
  });
  const builds = (): number => engine.sandbox.world.builds(environmentId).length;
  /** The requests of an `up` of a program that are no reads, in their order. */
  const up = (declared: Program): Promise<readonly string[]> => {
    project.write(declared);
    return engine.written(() => project.up());
  };

  before(async () => {
    environmentId = engine.environment({ name: "component" });
    besideId = engine.environment();
    project = await engine.project({ language });
  });

  afterEach("nothing printed or stored shows a secret", () => expect(project.leaks([SECRET])).to.deep.equal([]));

  it("a preview of its creation shows every child; an up writes all variables, then builds once, and gives its outputs", async () => {
    const before = builds();
    project.write(program("debug"));
    let text = "";
    const labels = await engine.written(async () => ({ text } = await project.succeed("up", "--yes", "--diff")));
    for (const name of CHILDREN) expect(text).to.contain(`::${name}]`);
    expect(text)
      .to.match(/LOG_LEVEL *: "debug"/u)
      .and.match(/REVISION *: \[unknown\]/u)
      .and.match(/DATABASE_URL *: \[secret\]/u)
      .and.contain(`environmentId: "${environmentId}"`);
    expect(labels.slice(0, -1)).to.deep.equal(["PUT /env-vars", "PUT /env-vars", "PUT /env-vars"]);
    expect(labels.at(-1)).to.match(/^PATCH/u);
    expect(builds() - before).to.equal(1);
    const { revision } = project.resource("beside").outputs ?? {};
    const values = { LOG_LEVEL: "debug", REVISION: revision, DATABASE_URL: SECRET };
    expect(engine.values(environmentId)).to.deep.equal(values);
    const outputs: unknown = JSON.parse((await project.succeed("stack", "output", "--json")).stdout);
    const url = engine.sandbox.world.environments.get(environmentId)?.url;
    expect(outputs).to.deep.equal({ environmentId, url });
  });

  it("changes nothing when nothing changed, and rebuilds once when a variable did", async () => {
    expect(await engine.written(() => project.preview("--expect-no-changes"))).to.deep.equal([]);
    const before = builds();
    expect(await up(program("info"))).to.deep.equal(["PUT /env-vars", "POST /rebuild"]);
    expect(builds() - before).to.equal(1);
  });

  const destroyed = async (): Promise<void> => {
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
  };

  if (side === "dynamic") {
    it("renamed with an alias: nothing is written; without one: no variable is lost", async () => {
      const values = engine.values(environmentId);
      const aliased = program("info", {}, { name: "store", aliases: [{ name: "shop" }] });
      expect(await up(aliased)).to.deep.equal([]);
      await up(program("info", {}, { name: "market" }));
      expect(engine.values(environmentId)).to.deep.equal(values);
    });

    it("destroyed: its variables go", destroyed);

    it("takes over resources that the program had before, with aliases, and the branches from before them", async () => {
      const args = { environmentId: besideId, branches: { web: "feature/x" }, onDestroy: "restore" };
      await up({
        resources: [
          set("vars", { environmentId: besideId, variables: { A: "1" } }),
          {
            type: "EnvironmentBranches",
            name: "branches",
            args: { ...args, rebuildOn: [{ $output: ["vars", "revision"] }] },
          },
        ],
      });
      const originalBranches = project.resource("branches").outputs?.["originalBranches"];
      const component = {
        environment: { id: besideId },
        variableSets: { vars: { variables: { A: "1" } } },
        branches: args.branches,
        onDestroy: args.onDestroy,
      };
      const options = { takesOver: true };
      const declared: Program = { resources: [{ type: "PreviewEnvironment", name: "shop", args: component, options }] };
      expect(await up(declared)).to.deep.equal([]);
      expect(originalBranches).to.be.an("object");
      expect(project.resource("shop-branches").outputs).to.deep.include({ originalBranches });
      await project.destroy();
    });

    return;
  }

  // In which order children go is up to what they depend on: tests/sdk/preview-environment.spec.ts has it for the other host.
  it("stopped: writes the variables, then stops, and neither builds nor touches the branches", async () => {
    const before = builds();
    const asleep = program("warn", { branches: { web: "next" }, state: "stopped" });
    expect(await up(asleep)).to.deep.equal(["PUT /env-vars", "POST /stop"]);
    expect(builds() - before).to.equal(0);
  });

  it("running again: wakes the environment first, then deploys what waited", async () => {
    const labels = await up(program("error", { branches: { web: "next" }, state: "running" }));
    expect(labels[0]).to.equal("POST /restart");
    expect(labels.at(-2)).to.equal("PUT /env-vars");
    expect(labels.at(-1)).to.match(/^PATCH/u);
    const { stopped, projects } = engine.sandbox.world.environments.get(environmentId) ?? {};
    expect([stopped, projects?.[0]?.branch]).to.deep.equal([false, "next"]);
  });

  it("says once what was not found", async () => {
    project.write(program("error", { environment: { name: "nowhere" } }));
    const { text } = await project.end(1, "preview");
    const [, diagnostics = ""] = text.split("Diagnostics:");
    expect(diagnostics.split('no environment matched name "nowhere"'), text).to.have.length(2);
    expect(diagnostics).not.to.match(/exited prematurely|^\s+at /mu);
  });

  // Which provider the children get is up to the engine.
  it("gives its children what is for the build, and the provider of the rest, or its own one", async () => {
    const now = { whenStopped: "skip" };
    await up(program("error", now));
    expect(project.resource("shop").urn).to.match(new RegExp(`::${COMPONENT}::shop$`, "u"));
    const { inputs, provider, urn } = project.resource("shop-branches");
    expect(inputs)
      .to.include({ whenStopped: "skip" })
      .and.deep.include({ requires: ["LOG_LEVEL"] });
    expect(provider).to.be.a("string").and.equal(project.resource("beside")["provider"]);
    expect(urn).to.contain(`::${COMPONENT}$previewenv:index:EnvironmentBranches::`);

    const mine = { apiToken: { $secret: engine.sandbox.token }, baseUrl: engine.sandbox.url };
    const own = program("error", now, { provider: "mine" });
    expect(await up({ ...own, providers: [{ name: "mine", args: mine }] })).to.deep.equal([]);
    for (const name of CHILDREN) expect(project.resource(name)["provider"]).to.contain("::mine::");
    expect(project.resource("beside")["provider"]).to.contain("::default::");
    await destroyed();
  });

  it("when a child fails: its error is shown, nothing is built, and the next up goes on", async () => {
    project.write(program("info"));
    engine.sandbox.faults.add({ refuse: { LOG_LEVEL: "not today" } });
    const { text } = await project.failedUp("--continue-on-error");
    expect(text)
      .to.contain("LOG_LEVEL: not today")
      .and.not.match(/exited prematurely|unexpected|^\s+at /mu);
    const labels = await engine.written(() => project.up());
    expect(labels[0]).to.equal("PUT /env-vars");
    expect(labels).to.have.lengthOf(2);
  });

  it("changes nothing when the program is a TypeScript program from now on", async () => {
    project.speak(javascript("native"));
    project.write(program("info"));
    expect(await engine.written(() => project.preview("--expect-no-changes"))).to.deep.equal([]);
  });
});
