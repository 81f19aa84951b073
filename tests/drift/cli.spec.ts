import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Cli } from "../../provider/src/drift/cli";
import { CliEngine } from "../../provider/src/drift/engine";

const SECRET = "in a debug message";
const URN = "urn:pulumi:dev::project::previewenv:index:EnvVarSet::vars";

/** Stands in for the CLI: writes its arguments down, and then does what the test says. */
const SCRIPT = `#!${process.execPath}
const args = process.argv.slice(2);
require("node:fs").appendFileSync(__dirname + "/calls", args.join(" ") + "\\n");
`;

describe("drift: the Pulumi CLI", function () {
  if (process.platform === "win32") return;
  let folder: string;
  const { PATH } = process.env;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-drift-cli-"));
    process.env["PATH"] = `${folder}${delimiter}${PATH ?? ""}`;
  });
  after(() => {
    process.env["PATH"] = PATH;
    rmSync(folder, { recursive: true, force: true });
  });

  const engine = (script: string): CliEngine => {
    writeFileSync(join(folder, "pulumi"), SCRIPT + script);
    chmodSync(join(folder, "pulumi"), 0o755);
    return new CliEngine(new Cli(folder));
  };
  const lines = (...events: readonly object[]): string =>
    events.map((event) => `console.log(${JSON.stringify(JSON.stringify(event))});`).join("\n");
  const summary = { summaryEvent: {} };
  const error = { diagnosticEvent: { message: "<{%fg 1%}>no answer<{%reset%}>\n", severity: "error" } };

  it("names the stack in every command, and never selects one", async () => {
    const fake = engine(`${lines(summary)}\n`);
    await fake.look("dev");
    await fake.rehearse("dev", [URN]);
    await fake.restore("dev", [URN]);
    const calls = readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
    expect(calls.map((call) => call.split(" ")[0])).to.deep.equal(["refresh", "preview", "up"]);
    for (const call of calls) expect(call).to.include("--stack dev").and.include("--non-interactive");
    for (const call of calls.slice(1))
      expect(call).to.include(`--target ${URN}`).and.not.include("--target-dependents");
    expect(calls[0]).to.include("--preview-only");
    expect(calls[1]).to.include("--refresh=false");
  });

  it("keeps no debug message, in which the engine may print secrets", async () => {
    const debug = { diagnosticEvent: { message: SECRET, severity: "debug" } };
    expect(await engine(lines(debug, summary)).look("dev")).to.deep.equal({ steps: [], errors: [] });
  });

  it("is an error when it ends well without telling anything, as one does that knows no events", async () => {
    const { errors } = await engine('console.log("Previewing refresh (dev)");').look("dev");
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include("did not say what it found");
  });

  it("gives the engine's errors, or what it said before the engine ran", async () => {
    const noise = {
      diagnosticEvent: { message: "Error: resource vars [x:y:Z] failed to register\n    at x\n", severity: "error" },
    };
    const failed = await engine(`${lines(error, noise, summary)}\nprocess.exitCode = 1;`).look("dev");
    expect(failed.errors).to.deep.equal(["no answer"]);
    const yaml = "an unhandled error occurred: waiting for RPCs: resource vars [x:y:Z] failed to register\n\n";
    const both = lines(error, { diagnosticEvent: { message: yaml, severity: "error" } }, summary);
    expect((await engine(`${both}\nprocess.exitCode = 1;`).restore("dev", [URN])).errors).to.deep.equal(["no answer"]);
    const early = await engine("console.error(\"error: no stack named 'dev' found\"); process.exitCode = 1;").look(
      "dev",
    );
    expect(early.errors).to.deep.equal(["no stack named 'dev' found"]);
  });

  it("compares by one document, and gives the diagnostics of a program that fails", async () => {
    const document = { steps: [{ op: "same", urn: URN, oldState: { type: "a:b:C" }, newState: { type: "a:b:C" } }] };
    const compared = await engine(`console.log(${JSON.stringify(JSON.stringify(document, undefined, 2))});`).compare(
      "dev",
    );
    expect(compared.errors).to.deep.equal([]);
    expect(compared.program.reasonToLeave(URN)).to.equal(undefined);
    const text = JSON.stringify({ diagnostics: [{ message: "SyntaxError", severity: "error" }] });
    const broken = engine(`console.log(${JSON.stringify(text)}); process.exitCode = 1;`).compare("dev");
    expect((await broken).errors).to.deep.equal(["SyntaxError"]);
  });

  it("gives what a YAML program only prints: why it cannot run, and no line of its source", async () => {
    const printed = ['\u001b[31mError\u001b[0m: value "nobody" not found\n\n', `   1: {"A":"${SECRET}"}\n\n`].map(
      (message) => ({ message, severity: "info#err" }),
    );
    const document = JSON.stringify({ diagnostics: printed });
    const broken = engine(`console.log(${JSON.stringify(document)}); process.exitCode = 1;`).compare("dev");
    expect((await broken).errors).to.deep.equal(['value "nobody" not found']);
    const events = lines(...printed.map((diagnosticEvent) => ({ diagnosticEvent })), summary);
    const told = await engine(`${events}\nprocess.exitCode = 1;`).rehearse("dev", [URN]);
    expect(told.errors).to.deep.equal(['value "nobody" not found']);
    expect(JSON.stringify(told)).not.to.include(SECRET);
  });

  it("lets the CLI's Node.js processes keep what they compile, in this user's cache folder, unless one is chosen", async () => {
    engine("console.log(JSON.stringify(process.env));");
    const seen = async (environment: Readonly<Record<string, string>>): Promise<unknown> => {
      const { PREVIEWENV_CACHE_DIR: cache, NODE_COMPILE_CACHE: chosen } = process.env;
      delete process.env["NODE_COMPILE_CACHE"];
      Object.assign(process.env, environment);
      const { stdout } = await new Cli(folder).run([]);
      for (const [name, value] of Object.entries({ PREVIEWENV_CACHE_DIR: cache, NODE_COMPILE_CACHE: chosen }))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      const given: Readonly<Record<string, unknown>> = JSON.parse(stdout);
      return given["NODE_COMPILE_CACHE"];
    };
    const own = join(folder, "cache");
    expect(await seen({ PREVIEWENV_CACHE_DIR: own })).to.equal(join(own, "compiled"));
    expect(await seen({ PREVIEWENV_CACHE_DIR: own, NODE_COMPILE_CACHE: "/chosen" })).to.equal("/chosen");
    // A folder that cannot be made: the CLI runs without.
    expect(await seen({ PREVIEWENV_CACHE_DIR: join(folder, "pulumi") })).to.equal(undefined);
  });

  it("says what to do without a CLI, and starts none once it was stopped", async () => {
    const cli = new Cli(join(folder, "nowhere"));
    expect(await cli.run(["version"]).then(String, (reason: Error) => reason.message)).to.include(
      "put `pulumi` on PATH",
    );
    cli.stop("SIGINT");
    expect(await cli.run(["version"]).then(String, (reason: Error) => reason.message)).to.include("Stopped");
  });

  it("passes on a SIGTERM, and waits for what was under way", async () => {
    const cli = new Cli(folder);
    rmSync(join(folder, "calls"), { force: true });
    engine(
      'process.on("SIGTERM", () => { console.log("cancelled"); process.exit(1); });\nsetTimeout(() => 0, 20_000);\nrequire("node:fs").writeFileSync(__dirname + "/calls", "up");',
    );
    const ended = cli.run(["up"]);
    while (!existsSync(join(folder, "calls")) || readFileSync(join(folder, "calls"), "utf8") !== "up") await sleep(20);
    cli.stop("SIGTERM");
    const { isSuccess, stdout } = await ended;
    expect({ isSuccess, stdout }).to.deep.equal({ isSuccess: false, stdout: "cancelled\n" });
  });
});
