import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect } from "chai";
import { findOnPath } from "../../tools/setup/command.mjs";
import { onBothHosts, PLUGIN_FOLDER, yaml } from "./harness/languages";
import { type Program, set } from "./harness/program";
import type { Project } from "./harness/project";
import { leaked } from "./harness/stored-stack";
import { useEngine } from "./harness/suite";

const TOKEN = "sandbox-token-4711-not-to-be-seen";
/** The provider process of each host: its name, and where the real one is. */
const DYNAMIC_HOST = "pulumi-resource-pulumi-nodejs";
const PLUGIN = "pulumi-resource-previewenv";
const processes = {
  dynamic: [DYNAMIC_HOST, () => findOnPath(DYNAMIC_HOST) ?? join(dirname(findOnPath("pulumi") ?? ""), DYNAMIC_HOST)],
  native: [PLUGIN, () => join(PLUGIN_FOLDER, PLUGIN)],
} as const;

/** What must never be seen: plain, of many lines, JSON, and one that looks like part of a URL. */
const first = {
  PASSWORD: "correct horse battery staple",
  PEM: "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END KEY-----",
  CREDENTIALS: JSON.stringify({ user: "deployer", password: "p\u00e4ssw\u00f6rd/with+signs==" }),
  DATABASE_URL: "postgres://deployer:tiger-4711@db.example/app?sslmode=require",
};
const second = {
  PASSWORD: "tr0ub4dor and three",
  PEM: "-----BEGIN KEY-----\nMIICdgIBADANBgkqhkiG9w0BAQEFAASC\n-----END KEY-----",
  CREDENTIALS: JSON.stringify({ user: "deployer", password: "another/p\u00e4ssw\u00f6rd" }),
  DATABASE_URL: "postgres://deployer:lion-0815@db.example/app",
};
const SHOWN = "a Pulumi secret among the visible";
const BY_HAND = "changed by hand, and hidden";
const secrets = [TOKEN, SHOWN, BY_HAND, ...Object.values(first), ...Object.values(second)]
  .filter((text) => !text.startsWith("-----BEGIN"))
  .concat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj", "MIICdgIBADANBgkqhkiG9w0BAQEFAASC");

/** Worth its CLI calls: state, displays and logs are the engine's, and only a run shows what gets into them. */
onBothHosts("engine: secrets", function (side, language) {
  const engine = useEngine(this, { token: TOKEN });
  let project: Project;
  let environmentId: string;
  let ownLines: string;

  const program = (values: Record<string, string>): Program => ({
    resources: [set("vars", { environmentId, secrets: values, variables: { SHOWN: { $secret: SHOWN } } })],
  });

  before(async () => {
    environmentId = engine.environment();
    project = await engine.project({ language });
    ownLines = join(project.folder, "lines.log");
    const bin = join(project.folder, "bin");
    mkdirSync(bin);
    const [name, real] = processes[side];
    // The provider process, and the program, also write all that they print into a file: the CLI masks some of it.
    const script = `#!/usr/bin/env bash\n"${real()}" "$@" 2> >(tee -a "${ownLines}" >&2) | tee -a "${ownLines}"\n`;
    writeFileSync(join(bin, name), script, { mode: 0o755 });
    if (side === "native") project.speak(yaml(bin));
    else
      Object.assign(project.env, {
        PATH: `${bin}${delimiter}${project.env["PATH"]}`,
        PREVIEWENV_TEST_PROCESS_LOG: ownLines,
      });
    await project.succeed("config", "set", "--secret", "previewenv:apiToken", TOKEN);
    delete project.env["PREVIEWENV_API_TOKEN"];
  });

  afterEach("nothing printed or stored shows a secret", () => {
    expect(project.leaks(secrets)).to.deep.equal([]);
    expect(leaked(readFileSync(ownLines, "utf8"), secrets), "lines of our processes").to.deep.equal([]);
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
    // The port that a process of ours tells the engine: the record works.
    expect(readFileSync(ownLines, "utf8")).to.match(/^\d+$/mu);
  });

  it("are not in preview --diff and its digest, which name the variables", async () => {
    project.write(program(second));
    const { text } = await project.preview("--diff");
    for (const name of Object.keys(first))
      expect(text).to.match(new RegExp(`~ ${name}\\s*: \\[secret\\] => \\[secret\\]`, "u"));
    const { stdout } = await project.preview("--json");
    expect(JSON.parse(stdout)).to.have.nested.property("changeSummary.update", 1);
  });

  it("are not in errors that repeat them, nor in any line of our processes at the highest verbosity", async () => {
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
    const { world } = engine.sandbox;
    await project.up();
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
