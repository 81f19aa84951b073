import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { describeIn, PLUGIN_FOLDER, yaml } from "../harness/languages";
import { contents, leaked } from "../harness/shown-text";
import { type Program, set } from "../harness/program";
import type { Project } from "../harness/project";
import { writeRecorder } from "../harness/recorder";
import { ENGINE_TEST_MS, useEngine } from "../harness/suite";

const TOKEN = "sandbox-token-4711-not-to-be-seen";
const PLUGIN = "pulumi-resource-previewenv";
const SHOWN = "a Pulumi secret among the visible";
const first = {
  PASSWORD: "correct horse battery staple",
  CREDENTIALS: JSON.stringify({ user: "deployer", password: "p\u00e4ssw\u00f6rd/with+signs==" }),
  DATABASE_URL: "postgres://deployer:tiger-4711@db.example/app?sslmode=require",
};
const second = {
  PASSWORD: "tr0ub4dor and three",
  CREDENTIALS: "not json any more",
  DATABASE_URL: "postgres://lion-0815",
};
const BY_HAND = "changed by hand, and hidden";
const secrets = [TOKEN, SHOWN, BY_HAND, ...Object.values(first), ...Object.values(second)];

/** Worth its 11 CLI calls: state, displays and logs are the engine's, and only a run shows what gets into them. */
describeIn("yaml", "engine, native: secrets of a YAML program", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine({ token: TOKEN });
  let project: Project;
  let environmentId: string;
  let temporary: string;
  let ownLines: string;

  const program = (values: Record<string, string>): Program => ({
    resources: [set("vars", { environmentId, secrets: values, variables: { SHOWN: { $secret: SHOWN } } })],
  });

  before(async () => {
    environmentId = engine.environment();
    temporary = mkdtempSync(join(tmpdir(), "previewenv-recorder-"));
    ownLines = join(temporary, "lines.log");
    const folder = join(temporary, "plugin");
    writeRecorder({ folder, program: PLUGIN, real: join(PLUGIN_FOLDER, PLUGIN), file: ownLines });
    project = await engine.project({ language: yaml(folder) });
    await project.succeed("config", "set", "--secret", "previewenv:apiToken", TOKEN);
    delete project.env["PREVIEWENV_API_TOKEN"];
  });
  after(() => rmSync(temporary, { recursive: true, force: true }));

  afterEach("nothing printed or stored shows a secret", () => {
    for (const { args, text } of project.runs) expect(leaked(text, secrets), args.join(" ")).to.deep.equal([]);
    for (const { file, text } of contents(project.stores)) expect(leaked(text, secrets), file).to.deep.equal([]);
    expect(leaked(readFileSync(ownLines, "utf8"), secrets), "lines of our process").to.deep.equal([]);
  });

  it("are not in what an up prints, nor in any file that Pulumi writes; one that the service would show is a warning", async () => {
    project.write(program(first));
    const { text } = await project.up("--diff");
    expect(text).to.match(/warning: EnvVarSet "vars": variables\.SHOWN is a Pulumi secret/u);
    expect(engine.values(environmentId)).to.deep.equal({ ...first, SHOWN });
    expect(project.export()).to.include('"PASSWORD"').and.include('"ciphertext"');
    const shown = (await project.run("stack", "export", "--show-secrets")).text;
    project.runs.pop();
    expect(leaked(shown, secrets), "the check itself").to.include.members([first.PASSWORD, SHOWN, TOKEN]);
    // The port that it tells the engine: the record works.
    expect(readFileSync(ownLines, "utf8")).to.match(/^\d+$/mu);
  });

  it("are not in preview --diff and its digest, which name the variables", async () => {
    project.write(program(second));
    const { text } = await project.preview("--diff");
    for (const name of Object.keys(first))
      expect(text).to.match(new RegExp(`~ ${name} *: \\[secret\\] => \\[secret\\]`, "u"));
    const { stdout } = await project.preview("--json");
    expect(JSON.parse(stdout)).to.have.nested.property("changeSummary.update", 1);
  });

  it("are not in errors that repeat them, nor in any line of the plugin at the highest verbosity", async () => {
    const { faults } = engine.sandbox;
    const title = `invalid: ${JSON.stringify(second)} by ${TOKEN}`;
    faults.add({ label: "PUT /env-vars", status: 400, body: { errors: [{ status: 400, title }] } });
    expect((await project.failedUp("--diff")).text).to.include("400");
    faults.clear();
    faults.add({ refuse: { PASSWORD: `the value ${second.PASSWORD} is too weak` } });
    await project.failedUp("-v=9", "--logtostderr");
    expect(project.runs.pop()?.text).to.match(/PASSWORD: .*is too weak/u);
    faults.clear();
  });

  it("are secrets in a refresh that finds them changed, masked and visible, and in the destroy", async () => {
    await project.up();
    const { world } = engine.sandbox;
    world.setVariable(environmentId, { name: "PASSWORD", value: BY_HAND });
    world.setVariable(environmentId, { name: "DATABASE_URL", value: first.DATABASE_URL, hidden: false });
    const { text } = await project.refresh("--diff");
    expect(text).to.match(/~ DATABASE_URL *: \[secret\] => \[secret\]/u);
    await project.up("--diff");
    expect(engine.values(environmentId)).to.deep.equal({ ...second, SHOWN });
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
  });
});
