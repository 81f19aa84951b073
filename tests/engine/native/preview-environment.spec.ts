import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { describeIn, javascript, PLUGIN_FOLDER, yaml } from "../harness/languages";
import { leaked } from "../harness/shown-text";
import { type Argument, type Program, set } from "../harness/program";
import type { Project } from "../harness/project";
import { writeRecorder } from "../harness/recorder";
import { ENGINE_TEST_MS, useEngine } from "../harness/suite";

const SECRET = "postgres://preview:tiger-4711@db.example/shop";
const PLUGIN = "pulumi-resource-previewenv";
const COMPONENT = "previewenv:index:PreviewEnvironment";

/** Worth its 14 CLI calls: which process serves the children, and what a preview and state show of them, is up to the engine. */
describeIn("yaml", "engine, native: PreviewEnvironment in a YAML program", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let temporary: string;
  let ports: string;
  let environmentId: string;
  let otherId: string;

  const program = (level: string, args: Record<string, Argument> = {}): Program => ({
    resources: [
      set("beside", { environmentId: otherId, variables: { A: "1" } }),
      {
        type: "PreviewEnvironment",
        name: "shop",
        args: {
          environment: { name: "component", repoName: "web" },
          variableSets: {
            app: { variables: { LOG_LEVEL: level, REVISION: { $output: ["beside", "revision"] } } },
            database: { secrets: { DATABASE_URL: { $secret: SECRET } }, services: ["web"] },
          },
          branches: { web: "feature/checkout" },
          whenStopped: "skip",
          requires: ["LOG_LEVEL"],
          ...args,
        },
      },
    ],
    outputs: Object.fromEntries(["environmentId", "url"].map((output) => [output, { $output: ["shop", output] }])),
  });
  const builds = (): number => engine.sandbox.world.builds(environmentId).length;
  /** How many processes of the plugin an action starts: each prints its port. */
  const processes = async (action: () => Promise<unknown>): Promise<number> => {
    rmSync(ports, { force: true });
    await action();
    return existsSync(ports) ? readFileSync(ports, "utf8").trim().split("\n").length : 0;
  };
  const written = async (action: () => Promise<unknown>): Promise<readonly string[]> => {
    const mark = engine.sandbox.journal.mark();
    await action();
    return engine.sandbox.journal
      .since(mark)
      .map(({ label }) => label)
      .filter((label) => !label.startsWith("GET "));
  };

  before(async () => {
    environmentId = engine.environment({ name: "component" });
    otherId = engine.environment();
    temporary = mkdtempSync(join(tmpdir(), "previewenv-recorder-"));
    ports = join(temporary, "ports");
    const folder = join(temporary, "plugin");
    writeRecorder({ folder, program: PLUGIN, real: join(PLUGIN_FOLDER, PLUGIN), file: ports });
    project = await engine.project({ language: yaml(folder) });
  });
  after(() => rmSync(temporary, { recursive: true, force: true }));

  afterEach("nothing printed shows a secret", () => {
    for (const { args, text } of project.runs) expect(leaked(text, [SECRET]), args.join(" ")).to.deep.equal([]);
  });

  it("a preview of its creation finds the environment, and shows every child", async () => {
    project.write(program("debug"));
    const { text } = await project.preview("--diff");
    for (const name of ["shop-app", "shop-database", "shop-branches"]) expect(text).to.contain(`::${name}]`);
    expect(text)
      .to.match(/LOG_LEVEL *: "debug"/u)
      .and.match(/REVISION *: \[unknown\]/u)
      .and.match(/DATABASE_URL *: \[secret\]/u)
      .and.match(/url *: \[unknown\]/u)
      .and.contain(`environmentId: "${environmentId}"`);
    expect(builds()).to.equal(1);
  });

  it("an up writes all variables, then deploys with one build; its children need no process of their own", async () => {
    project.write({ resources: [set("beside", { environmentId: otherId, variables: { A: "1" } })] });
    const alone = await processes(() => project.up());
    project.write(program("debug"));
    const before = builds();
    let labels: readonly string[] = [];

    const all = await processes(async () => void (labels = await written(() => project.up())));

    expect(all).to.equal(alone);
    expect(labels.slice(0, -1)).to.deep.equal(["PUT /env-vars", "PUT /env-vars"]);
    expect(labels.at(-1)).to.match(/^PATCH/u);
    expect(builds() - before).to.equal(1);
    const { revision } = project.resource("beside").outputs ?? {};
    const values = { LOG_LEVEL: "debug", REVISION: revision, DATABASE_URL: SECRET };
    expect(engine.values(environmentId)).to.deep.equal(values);
    const outputs: unknown = JSON.parse((await project.succeed("stack", "output", "--json")).stdout);
    const url = engine.sandbox.world.environments.get(environmentId)?.url;
    expect(outputs).to.deep.equal({ environmentId, url });
  });

  it("stores no secret in plain, passes on what is for the build, and gives its children the provider of the rest", () => {
    expect(leaked(project.export(), [SECRET])).to.deep.equal([]);
    expect(project.resource("shop").urn).to.match(new RegExp(`::${COMPONENT}::shop$`, "u"));
    const { inputs, provider, urn } = project.resource("shop-branches");
    expect(inputs)
      .to.include({ whenStopped: "skip" })
      .and.deep.include({ requires: ["LOG_LEVEL"] });
    expect(provider).to.be.a("string").and.equal(project.resource("beside")["provider"]);
    expect(urn).to.contain(`::${COMPONENT}$previewenv:index:EnvironmentBranches::`);
  });

  it("changes nothing when nothing changed, also when the program is a TypeScript program from now on", async () => {
    expect(await written(() => project.preview("--expect-no-changes"))).to.deep.equal([]);
    project.speak(javascript("native"));
    project.write(program("debug"));
    await project.preview("--expect-no-changes");
    project.speak(yaml());
  });

  it("puts back what was changed by hand, once a refresh has seen it", async () => {
    project.write(program("debug"));
    engine.sandbox.world.setVariable(environmentId, { name: "DATABASE_URL", value: "changed by hand" });
    expect((await project.drift()).code).to.equal(7);
    const labels = await written(() => project.up("--refresh"));
    expect(labels).to.deep.equal(["PUT /env-vars", "POST /rebuild"]);
    expect(engine.values(environmentId)).to.include({ DATABASE_URL: SECRET });
  });

  it("when a child fails: the errors name it and the component, nothing is built, and the next up goes on", async () => {
    project.write(program("info"));
    engine.sandbox.faults.add({ refuse: { LOG_LEVEL: "not today" } });
    const { text } = await project.failedUp("--continue-on-error");
    expect(text)
      .to.contain("LOG_LEVEL: not today")
      .and.contain(
        'PreviewEnvironment "shop" is not finished: its resource shop-app (previewenv:index:EnvVarSet) failed',
      )
      .and.not.match(/exited prematurely|unexpected|^\s+at /mu);
    const labels = await written(() => project.up());
    expect(labels).to.deep.equal(["PUT /env-vars", "POST /rebuild"]);
  });

  it("says what was not found, by the name of the component", async () => {
    project.write(program("info", { environment: { name: "nowhere" } }));
    const { text } = await project.end(1, "preview");
    expect(text).to.contain('no environment matched name "nowhere"').and.contain("resource 'shop' has a problem");
    expect(text).not.to.match(/exited prematurely|^\s+at /mu);
  });

  it("with a provider of its own, gives that one to its children", async () => {
    const one = program("info");
    const mine = { name: "mine", args: { apiToken: { $secret: engine.sandbox.token }, baseUrl: engine.sandbox.url } };
    const resources = one.resources.map((each) =>
      each.name === "shop" ? { ...each, options: { provider: "mine" } } : each,
    );
    project.write({ ...one, providers: [mine], resources });
    expect(await written(() => project.up())).to.deep.equal([]);
    for (const name of ["shop-app", "shop-database", "shop-branches"])
      expect(project.resource(name)["provider"]).to.contain("::mine::");
    expect(project.resource("beside")["provider"]).to.contain("::default::");
  });

  it("destroyed: its variables go", async () => {
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
  });
});
