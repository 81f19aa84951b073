import { expect } from "chai";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { FaultOptions } from "../../provider/src/sandbox";
import { javascript } from "./harness/languages";
import { contents, leaked } from "./harness/shown-text";
import { type Program, set } from "./harness/program";
import type { Project } from "./harness/project";
import { writeRecorder } from "./harness/recorder";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const TOKEN = "sandbox-token-4711-not-to-be-seen";
const DYNAMIC_HOST = "pulumi-resource-pulumi-nodejs";

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
const WHOLE = "a value of a map that is an Output";
const secrets = [TOKEN, SHOWN, WHOLE, ...Object.values(first), ...Object.values(second)]
  .filter((text) => !text.startsWith("-----BEGIN"))
  .concat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj", "MIICdgIBADANBgkqhkiG9w0BAQEFAASC");

/** Worth its dozen CLI calls: state, displays and logs are the engine's, and only a run shows what gets into them. */
describe("engine: secrets", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine({ token: TOKEN });
  let project: Project;
  let environmentId: string;
  let otherId: string;
  let ownLines: string;

  const program = (values: Record<string, string>): Program => ({
    resources: [
      set("vars", { environmentId, secrets: values, variables: { SHOWN: { $secret: SHOWN } } }),
      set("whole", { environmentId: otherId, secrets: { $later: { WHOLE, PASSWORD: values["PASSWORD"] ?? "" } } }),
    ],
  });

  before(async () => {
    environmentId = engine.environment();
    otherId = engine.environment();
    project = await engine.project({ language: javascript("dynamic") });
    ownLines = recordProcesses(project);
    await project.succeed("config", "set", "--secret", "previewenv:apiToken", TOKEN);
    delete project.env["PREVIEWENV_API_TOKEN"];
  });

  afterEach("nothing printed or stored shows a secret", () => {
    for (const { args, text } of project.runs) expect(leaked(text, secrets), args.join(" ")).to.deep.equal([]);
    for (const { file, text } of contents(project.stores)) expect(leaked(text, secrets), file).to.deep.equal([]);
    const lines = existsSync(ownLines) ? readFileSync(ownLines, "utf8") : "";
    expect(leaked(lines, secrets), "lines of our processes").to.deep.equal([]);
  });

  it("are not in the output of an up, nor in exported state, nor in any file that Pulumi writes", async () => {
    project.write(program(first));
    await project.up();
    expect(engine.values(environmentId)).to.deep.equal({ ...first, SHOWN });
    const state = project.export();
    expect(state).to.include('"PASSWORD"').and.include('"ciphertext"');
    expect(
      leaked(await project.run("stack", "export", "--show-secrets").then(forget(project)), secrets),
      "the check itself",
    ).to.include(first.PASSWORD);
  });

  it("that the service would show are a warning that names them", () => {
    const text = project.runs.map((run) => run.text).join("");
    expect(text).to.match(/warning: EnvVarSet "vars": variables\.SHOWN is a Pulumi secret/u);
  });

  it("are not in preview --diff, which names the variables", async () => {
    project.write(program(second));
    const { text } = await project.preview("--diff");
    for (const name of Object.keys(first))
      expect(text).to.match(new RegExp(`~ ${name}\\s*: \\[secret\\] => \\[secret\\]`, "u"));
  });

  it("are not in the digest of preview --json", async () => {
    const { stdout } = await project.preview("--json");
    expect(JSON.parse(stdout)).to.have.nested.property("changeSummary.update", 2);
  });

  const value = second.PASSWORD;
  const errors: readonly { readonly title: string; readonly fault: FaultOptions; readonly expected: RegExp }[] = [
    {
      title: "a 400 that repeats the whole request",
      fault: {
        label: "PUT /env-vars",
        status: 400,
        body: { errors: [{ status: 400, title: `invalid: ${JSON.stringify(second)} by ${TOKEN}` }] },
      },
      expected: /400/u,
    },
    {
      title: "a 500 in plain text that repeats a value and the token",
      fault: {
        label: "PUT /env-vars",
        status: 500,
        times: 2,
        body: `x-api-token: ${TOKEN}\n${second.PEM}\n${second.DATABASE_URL}`,
      },
      expected: /500/u,
    },
    {
      title: "an answer that is not JSON",
      fault: { label: "PUT /env-vars", status: 200, body: `<html>${value}</html>` },
      expected: /error:/u,
    },
  ];
  for (const { title, fault, expected } of errors)
    it(`are not in the errors of ${title}`, async () => {
      project.env["PREVIEWENV_MAX_RETRIES"] = "1";
      engine.sandbox.faults.add({ ...fault, match: ({ environmentId: id }) => id === environmentId });
      const { text } = await project.failedUp("--diff");
      engine.sandbox.faults.clear();
      expect(text).to.match(expected);
    });

  it("are not in any line that our processes write at the highest verbosity", async () => {
    project.write(program(first));
    engine.sandbox.faults.add({ refuse: { PASSWORD: `the value ${first.PASSWORD} is too weak` } });
    const text = await project.failedUp("-v=9", "--logtostderr").then(forget(project));
    expect(text).to.match(/PASSWORD: .*is too weak/u);
    // The port that the provider process tells the engine: the record works.
    expect(readFileSync(ownLines, "utf8")).to.match(/^\d+$/mu);
  });

  it("are not in state when their removal fails, or their move to the visible ones", async () => {
    const { PASSWORD, PEM, ...rest } = first;
    project.write(program(first));
    await project.up();
    engine.sandbox.faults.add({ method: "DELETE", status: 500, times: Infinity });
    engine.sandbox.faults.add({ refuse: { PEM: "not now" } });
    project.write({
      resources: [set("vars", { environmentId, secrets: rest, variables: { PEM: { $secret: PEM } } })],
    });
    await project.failedUp();
    expect(engine.values(environmentId)).to.include({ PASSWORD, PEM });
    engine.sandbox.faults.clear();
    project.write(program(first));
    await project.up();
  });

  it("stay secrets in a refresh that finds them changed, masked and visible", async () => {
    const { world } = engine.sandbox;
    world.setVariable(environmentId, { name: "PASSWORD", value: "changed by hand, and hidden" });
    world.setVariable(environmentId, { name: "DATABASE_URL", value: first.DATABASE_URL, hidden: false });
    await project.preview("--refresh", "--diff");
    await project.refresh("--diff");
    const state = project.export();
    expect(leaked(state, ["changed by hand, and hidden"])).to.deep.equal([]);
    await project.up("--diff");
    expect(engine.values(environmentId)).to.deep.equal({ ...first, SHOWN });
  });

  it("are not in what destroy prints", async () => {
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
  });
});

/** Takes a run whose output may show secrets by design out of the record, and gives what it printed. */
function forget(project: Project): () => string {
  return () => project.runs.pop()?.text ?? "";
}

/** Makes the program and the provider process write all they print into one file too. Gives the file. */
function recordProcesses({ folder, env }: Project): string {
  const file = join(folder, "process.log");
  const bin = join(folder, "bin");
  const real = (env["PATH"] ?? "")
    .split(delimiter)
    .map((entry) => join(entry, DYNAMIC_HOST))
    .find((path) => existsSync(path));
  if (real === undefined) throw new Error(`no ${DYNAMIC_HOST} on PATH`);
  writeRecorder({ folder: bin, program: DYNAMIC_HOST, real, file });
  env["PATH"] = `${bin}${delimiter}${env["PATH"] ?? ""}`;
  env["PREVIEWENV_TEST_PROCESS_LOG"] = file;
  return file;
}
