import { expect } from "chai";
import { describeIn, javascript, type Language, yaml } from "./harness/languages";
import { leaked } from "./harness/stored-stack";
import { type Argument, type Program, set } from "./harness/program";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const SECRET = "postgres://preview:tiger-4711@db.example/shop";
const COMPONENT = "previewenv:index:PreviewEnvironment";
const CHILDREN = ["shop-app", "shop-database", "shop-branches"];

/** The stack of one suite, and what is asked of it. */
class Stage {
  readonly engine = useEngine();
  #project: Project | undefined;
  #ids: readonly [string, string] = ["", ""];

  async begin(language: Language): Promise<void> {
    this.#ids = [this.engine.environment({ name: "component" }), this.engine.environment()];
    this.#project = await this.engine.project({ language });
  }

  get project(): Project {
    if (this.#project === undefined) throw new Error("the suite has not begun");
    return this.#project;
  }

  get environmentId(): string {
    return this.#ids[0];
  }

  /** A set beside the component, which is another environment's. */
  get beside(): Program["resources"][number] {
    return set("beside", { environmentId: this.#ids[1], variables: { A: "1" } });
  }

  program(
    level: string,
    args: Record<string, Argument> = {},
    { name = "shop", ...options }: Record<string, Argument> & { readonly name?: string } = {},
  ): Program {
    return {
      resources: [
        this.beside,
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
    };
  }

  builds(): number {
    return this.engine.sandbox.world.builds(this.environmentId).length;
  }

  /** The requests of an `up` of a program that are no reads, in their order. */
  up(program: Program): Promise<readonly string[]> {
    this.project.write(program);
    return this.engine.written(() => this.project.up());
  }
}

/** What mocks cannot show: the order of requests, what a preview shows of the children, and what a component stores. */
function livesIn(stage: Stage): void {
  const { engine } = stage;

  afterEach("nothing printed or stored shows a secret", () => {
    const { project } = stage;
    for (const { args, text } of project.runs) expect(leaked(text, [SECRET]), args.join(" ")).to.deep.equal([]);
    expect(leaked(project.export(), [SECRET])).to.deep.equal([]);
  });

  it("a preview of its creation finds the environment, and shows every child", async () => {
    const before = stage.builds();
    stage.project.write(stage.program("debug"));
    const { text } = await stage.project.preview("--diff");
    for (const name of CHILDREN) expect(text).to.contain(`::${name}]`);
    expect(text)
      .to.match(/LOG_LEVEL *: "debug"/u)
      .and.match(/REVISION *: \[unknown\]/u)
      .and.match(/DATABASE_URL *: \[secret\]/u)
      .and.contain(`environmentId: "${stage.environmentId}"`);
    expect(stage.builds()).to.equal(before);
  });

  it("an up writes all variables, then deploys the branches with one build, and gives its outputs", async () => {
    const before = stage.builds();
    const labels = await stage.up(stage.program("debug"));
    expect(labels.slice(0, -1)).to.deep.equal(["PUT /env-vars", "PUT /env-vars", "PUT /env-vars"]);
    expect(labels.at(-1)).to.match(/^PATCH/u);
    expect(stage.builds() - before).to.equal(1);
    const { revision } = stage.project.resource("beside").outputs ?? {};
    const values = { LOG_LEVEL: "debug", REVISION: revision, DATABASE_URL: SECRET };
    expect(engine.values(stage.environmentId)).to.deep.equal(values);
    const outputs: unknown = JSON.parse((await stage.project.succeed("stack", "output", "--json")).stdout);
    const url = engine.sandbox.world.environments.get(stage.environmentId)?.url;
    expect(outputs).to.deep.equal({ environmentId: stage.environmentId, url });
  });

  it("changes nothing when nothing changed, and rebuilds once when a variable did", async () => {
    expect(await stage.engine.written(() => stage.project.preview("--expect-no-changes"))).to.deep.equal([]);
    const before = stage.builds();
    expect(await stage.up(stage.program("info"))).to.deep.equal(["PUT /env-vars", "POST /rebuild"]);
    expect(stage.builds() - before).to.equal(1);
  });

  it("stopped: writes the variables, then stops, and neither builds nor touches the branches", async () => {
    const before = stage.builds();
    const asleep = stage.program("warn", { branches: { web: "next" }, state: "stopped" });
    expect(await stage.up(asleep)).to.deep.equal(["PUT /env-vars", "POST /stop"]);
    expect(stage.builds() - before).to.equal(0);
  });

  it("running again: wakes the environment first, then deploys what waited", async () => {
    const labels = await stage.up(stage.program("error", { branches: { web: "next" }, state: "running" }));
    expect(labels[0]).to.equal("POST /restart");
    expect(labels.at(-2)).to.equal("PUT /env-vars");
    expect(labels.at(-1)).to.match(/^PATCH/u);
    const { stopped, projects } = engine.sandbox.world.environments.get(stage.environmentId) ?? {};
    expect([stopped, projects?.[0]?.branch]).to.deep.equal([false, "next"]);
  });

  it("says once what was not found", async () => {
    stage.project.write(stage.program("error", { environment: { name: "nowhere" } }));
    const { text } = await stage.project.end(1, "preview");
    const [, diagnostics = ""] = text.split("Diagnostics:");
    expect(diagnostics.split('no environment matched name "nowhere"'), text).to.have.length(2);
    expect(diagnostics).not.to.match(/exited prematurely|^\s+at /mu);
  });
}

async function isGoneAfterDestroy({ engine, project, environmentId }: Stage): Promise<void> {
  await project.destroy();
  expect(engine.values(environmentId)).to.deep.equal({});
}

describe("engine: PreviewEnvironment (dynamic)", function () {
  this.timeout(ENGINE_TEST_MS);
  const stage = new Stage();
  before(() => stage.begin(javascript("dynamic")));

  livesIn(stage);

  it("renamed with an alias: nothing is written; without one: no variable is lost", async () => {
    const now = { branches: { web: "next" }, state: "running" };
    const { environmentId, engine } = stage;
    const values = engine.values(environmentId);
    const aliased = stage.program("error", now, { name: "store", aliases: [{ name: "shop" }] });
    expect(await stage.up(aliased)).to.deep.equal([]);
    await stage.up(stage.program("error", now, { name: "market" }));
    expect(engine.values(environmentId)).to.deep.equal(values);
  });

  it("destroyed: its variables go", () => isGoneAfterDestroy(stage));
});

/** Which provider the children get is up to the engine. */
describeIn("yaml", "engine: PreviewEnvironment in a YAML program (native)", function () {
  this.timeout(ENGINE_TEST_MS);
  const stage = new Stage();
  before(() => stage.begin(yaml()));

  livesIn(stage);

  it("gives its children what is for the build, and the provider of the rest, or its own one", async () => {
    const { project } = stage;
    const now = { branches: { web: "next" }, state: "running", whenStopped: "skip" };
    const whole = stage.program("error", now);
    await stage.up(whole);
    expect(project.resource("shop").urn).to.match(new RegExp(`::${COMPONENT}::shop$`, "u"));
    const { inputs, provider, urn } = project.resource("shop-branches");
    expect(inputs)
      .to.include({ whenStopped: "skip" })
      .and.deep.include({ requires: ["LOG_LEVEL"] });
    expect(provider).to.be.a("string").and.equal(project.resource("beside")["provider"]);
    expect(urn).to.contain(`::${COMPONENT}$previewenv:index:EnvironmentBranches::`);

    const mine = { apiToken: { $secret: stage.engine.sandbox.token }, baseUrl: stage.engine.sandbox.url };
    const own = stage.program("error", now, { provider: "mine" });
    expect(await stage.up({ ...own, providers: [{ name: "mine", args: mine }] })).to.deep.equal([]);
    for (const name of CHILDREN) expect(project.resource(name)["provider"]).to.contain("::mine::");
    expect(project.resource("beside")["provider"]).to.contain("::default::");
    await isGoneAfterDestroy(stage);
  });

  it("when a child fails: its error is shown, nothing is built, and the next up goes on", async () => {
    const { project } = stage;
    project.write(stage.program("info"));
    stage.engine.sandbox.faults.add({ refuse: { LOG_LEVEL: "not today" } });
    const { text } = await project.failedUp("--continue-on-error");
    expect(text)
      .to.contain("LOG_LEVEL: not today")
      .and.not.match(/exited prematurely|unexpected|^\s+at /mu);
    const labels = await stage.engine.written(() => project.up());
    expect(labels[0]).to.equal("PUT /env-vars");
    expect(labels).to.have.lengthOf(2);
  });

  it("changes nothing when the program is a TypeScript program from now on", async () => {
    stage.project.speak(javascript("native"));
    stage.project.write(stage.program("info"));
    expect(await stage.engine.written(() => stage.project.preview("--expect-no-changes"))).to.deep.equal([]);
  });
});
