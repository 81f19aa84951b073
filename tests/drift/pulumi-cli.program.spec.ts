import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { PulumiCli } from "../../provider/src/drift/pulumi-cli";
import { shownBackend } from "../../provider/src/drift/shown-backend";

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

  const engine = (script: string): PulumiCli => {
    writeFileSync(join(folder, "pulumi"), SCRIPT + script);
    chmodSync(join(folder, "pulumi"), 0o755);
    return new PulumiCli(folder);
  };
  const lines = (...events: readonly object[]): string =>
    events.map((event) => `console.log(${JSON.stringify(JSON.stringify(event))});`).join("\n");
  const summary = { summaryEvent: {} };
  const said = (message: string, severity = "error") => ({ diagnosticEvent: { message, severity } });
  const error = said("<{%fg 1%}>no answer<{%reset%}>\n");

  it("names the stack in every command, and never selects one", async () => {
    const fake = engine(`${lines(summary)}\n`);
    await fake.previewRefresh("dev");
    await fake.previewUpdate("dev", [URN]);
    await fake.restore("dev", [URN]);
    const calls = readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
    expect(calls.map((call) => call.split(" ")[0])).to.deep.equal(["refresh", "preview", "up"]);
    for (const call of calls) expect(call).to.include("--stack dev").and.include("--non-interactive");
    for (const call of calls.slice(1))
      expect(call).to.include(`--target ${URN}`).and.not.include("--target-dependents");
    expect(calls[0]).to.include("--preview-only");
    expect(calls[1]).to.include("--refresh=false");
  });

  it("finds the names of stacks in the CLI's log when it cannot list them, and else gives its error", async () => {
    const listing = (log: readonly string[]): Promise<string> =>
      engine(`if (args.includes("--tag")) console.error(${JSON.stringify(log.join("\n"))});
else { console.error("error: place 1: unexpected end of JSON input"); process.exitCode = 1; }`)
        .stacks()
        .then(String, (reason: Error) => reason.message);
    const place = String.raw`.pulumi\\stacks\\shop\\pr-7.1.pulumi-tags`;
    const json = { level: "INFO", msg: "Loading stack tags from .pulumi/stacks/shop/dev.pulumi-tags", v: 9 };
    expect(await listing([JSON.stringify(json), `I1128 stack_tags.go:52] Loading stack tags from ${place}`])).to.equal(
      "dev,pr-7.1",
    );
    expect(await listing(["no such text"])).to.equal("place 1: unexpected end of JSON input");
  });

  it("knows the whole name of a stack, and has no other name for one that is not there", async () => {
    expect(await engine('console.log("acme/shop/dev");').wholeName("dev")).to.equal("acme/shop/dev");
    expect(readFileSync(join(folder, "calls"), "utf8")).to.match(
      /^stack --show-name .*--fully-qualify-.* --stack dev /mu,
    );
    expect(await engine('console.error("error: no stack named"); process.exitCode = 255;').wholeName("x")).to.equal(
      "x",
    );
  });

  it("keeps no debug message, in which the engine may print secrets", async () => {
    expect(await engine(lines(said(SECRET, "debug"), summary)).previewRefresh("dev")).to.deep.equal({
      steps: [],
      errors: [],
    });
  });

  it("is an error when it ends well without telling anything, as one does that knows no events", async () => {
    const { errors } = await engine('console.log("Previewing refresh (dev)");').previewRefresh("dev");
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include("did not say what it found");
  });

  it("gives the engine's errors, each once, or what it said before the engine ran, or what to run", async () => {
    const noise = "Error: resource vars [x:y:Z] failed to register\n    at x\n";
    const crashed =
      "Running program '/a/index.ts' failed with an unhandled exception:\n" +
      "<ref *1> Error: resource vars [x:y:Z] failed to register\n    at x {\n  promise: Promise { <rejected> [Circular *1] }\n}";
    const yaml = "an unhandled error occurred: waiting for RPCs: resource vars [x:y:Z] failed to register\n\n";
    const early = "warning: old\nerror: no stack named 'dev' found\nerror: no stack named 'dev' found\n";
    const locked = "the stack is currently locked by 1 lock(s).\n  s3://acme/x.json: created by ci@h (pid 1) at 09:30";
    for (const [script, expected] of [
      ...[noise, crashed, yaml].map((text) => [lines(error, said(text), summary), "no answer"] as const),
      [`console.error(${JSON.stringify(early)});`, "no stack named 'dev' found"],
      [`console.error(${JSON.stringify(`error: ${locked}\n\nUsage:\n  pulumi up\n`)});`, locked],
      ["", "The Pulumi CLI failed without an error message. Run `pulumi preview` in the project's folder to see more."],
    ] as const) {
      const { errors } = await engine(`${script}\nprocess.exitCode = 1;`).restore("dev", [URN]);
      expect(errors).to.deep.equal([expected]);
    }
  });

  it("shows no password of a backend in an error, of whichever command and wherever the address is set", async () => {
    const quoted = (plain: string): string => JSON.stringify(plain);
    const pg = "postgres://user:TOKEN@db.example:5432/state";
    const s3 = "s3://acme/shop?accesskey=TOKEN&awssdk=v2";
    for (const [text, shown] of [
      [
        `unable to open state database ${quoted(pg)}: dial tcp: connection refused`,
        'unable to open state database "postgres://db.example:5432/state": dial tcp: connection refused',
      ],
      [
        `unable to open bucket ${quoted(s3)}: open bucket ${s3}: unknown query parameter`,
        'unable to open bucket "s3://acme/shop": open bucket s3://acme/shop: unknown query parameter',
      ],
      ['Get "https://pulumi.example/?token=TOKEN/api/user": EOF', 'Get "https://pulumi.example/": EOF'],
      ['Get "https://user:TOKEN@pulumi.example/api/user": EOF', 'Get "https://pulumi.example/api/user": EOF'],
      // Of an address that it cannot take apart, Go tells the part that it takes for a port, which is the password.
      [
        `new HTTP request: parse ${quoted('postgres://user:TO KEN"/x@h/api')}: invalid port ":TOKEN" after host`,
        'new HTTP request: parse "postgres://": the address is not valid',
      ],
      ['parse "https://user:TO%zzKEN": invalid URL escape "%zzKEN"', 'parse "https://": the address is not valid'],
      ["see https://pulumi.example/docs#TOKENS", "see https://pulumi.example/docs#TOKENS"],
      ["locked\n  s3://acme/x.json?accesskey=TOKEN: created by a@h", "locked\n  s3://acme/x.json: created by a@h"],
      ["the lock file:///home/dev/state/x.json", "the lock file:///home/dev/state/x.json"],
    ] as const) {
      const failing = engine(`console.error(${quoted(`error: ${text}`)}); process.exitCode = 1;`);
      expect((await failing.restore("dev", [URN])).errors, text).to.deep.equal([shown]);
      expect(await failing.backend().then(String, (reason: Error) => reason.message)).to.equal(shown);
      const told = engine(`${lines(error, said(text), summary)}\nprocess.exitCode = 1;`);
      expect((await told.previewRefresh("dev")).errors).to.deep.equal(["no answer", shown]);
    }
  });

  it("compares by one document, and gives the diagnostics of a program that fails", async () => {
    const document = { steps: [{ op: "same", urn: URN, oldState: { type: "a:b:C" }, newState: { type: "a:b:C" } }] };
    const compared = await engine(`console.log(${JSON.stringify(JSON.stringify(document, undefined, 2))});`).compare(
      "dev",
      {},
    );
    expect(compared.errors).to.deep.equal([]);
    expect(compared.program.reasonToLeave(URN)).to.equal(undefined);
    const text = JSON.stringify({ diagnostics: [{ message: "SyntaxError", severity: "error" }] });
    const broken = engine(`console.log(${JSON.stringify(text)}); process.exitCode = 1;`).compare("dev", {});
    expect((await broken).errors).to.deep.equal(["SyntaxError"]);
  });

  it("gives what a YAML program only prints: why it cannot run, and no line of its source", async () => {
    const printed = ['\u001b[31mError\u001b[0m: value "nobody" not found\n\n', `   1: {"A":"${SECRET}"}\n\n`].map(
      (message) => ({ message, severity: "info#err" }),
    );
    const document = JSON.stringify({ diagnostics: printed });
    const broken = engine(`console.log(${JSON.stringify(document)}); process.exitCode = 1;`).compare("dev", {});
    expect((await broken).errors).to.deep.equal(['value "nobody" not found']);
    const events = lines(...printed.map((diagnosticEvent) => ({ diagnosticEvent })), summary);
    const told = await engine(`${events}\nprocess.exitCode = 1;`).previewUpdate("dev", [URN]);
    expect(told.errors).to.deep.equal(['value "nobody" not found']);
    expect(JSON.stringify(told)).not.to.include(SECRET);
  });

  it("says what to do without a CLI, and starts none once it was stopped", async () => {
    const cli = new PulumiCli(join(folder, "nowhere"));
    const failure = (): Promise<string> => cli.stacks().then(String, (reason: Error) => reason.message);
    expect(await failure()).to.include("put `pulumi` on PATH");
    cli.stop("SIGINT");
    expect(await failure()).to.include("Stopped");
  });

  it("passes on a SIGTERM, and waits for what was under way", async () => {
    const started = join(folder, "started");
    for (const [says, errors] of [
      [`console.error("error: cancelled");`, ["cancelled"]],
      ["", ["Stopped by a signal before this stack was done."]],
    ] as const) {
      const cli = engine(`process.on("SIGTERM", () => { ${says} process.exit(1); });
setTimeout(() => 0, 20_000);
require("node:fs").writeFileSync(__dirname + "/started", "");`);
      const restored = cli.restore("dev", [URN]);
      while (!existsSync(started)) await sleep(20);
      cli.stop("SIGTERM");
      expect(await restored).to.deep.equal({ steps: [], errors });
      rmSync(started);
    }
  });
});

describe("drift: the backend in a report", () => {
  for (const [address, shown] of [
    ["https://api.pulumi.com", "https://api.pulumi.com/"],
    ["s3://acme-state/shop?region=eu-west-1&awssdk=v2", "s3://acme-state/shop"],
    ["azblob://state?storage_account=acme&sas=TOKEN", "azblob://state"],
    ["postgres://pulumi:TOKEN@db.example:5432/state?sslmode=require", "postgres://db.example:5432/state"],
    ["https://TOKEN@pulumi.example/acme#TOKEN", "https://pulumi.example/acme"],
    ["file://~", "file://~"],
    ["file:///home/dev@acme/state", "file:///home/dev@acme/state"],
    [String.raw`file://C:\state`, String.raw`file://C:\state`],
    // Not written as an address must be: a part of the password would be taken for the host, the path or the query.
    ["postgres://pulumi:TO/KEN@db.example/state", "postgres://"],
    ["postgres://pulumi:12?TOKEN@db.example/state", "postgres://"],
    ["postgres://pulumi:12#TOKEN@db.example/state", "postgres://"],
    ["postgres://[TOKEN", "postgres://"],
    ["TOKEN", "unknown"],
  ] as const)
    it(`of ${address} is ${shown}`, () => expect(shownBackend(address)).to.equal(shown));
});
