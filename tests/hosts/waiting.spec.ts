import { expect } from "chai";
import { functionContext } from "../../provider/src/functions/function-context";
import { type Sandbox, SEED, startSandbox } from "../../provider/src/sandbox";
import { DynamicHost } from "../support/dynamic-host";
import { LogBook } from "../support/log-book";
import { TestClock } from "../support/test-clock";
import { failureOf, make, urnOf, usePlugin } from "./plugin/suite";

const HOST_MS = 30_000;
/** Long enough for every machine: the tests end these waits themselves, once they have seen that people are told. */
const PAUSE = { status: 503, times: Infinity, headers: { "retry-after": "60" } } as const;
const TOLD = /^\d+ s: waiting for the service: it answered 503; attempt 1, next in 60 s$/u;

describe("native plugin: waiting", function () {
  this.timeout(HOST_MS);
  const plugin = usePlugin();

  it("each resource that waits for the service says so on its own row, once", async () => {
    const calls = await plugin.begin({ maxRetries: "" });
    const environmentId = plugin.environment();
    plugin.sandbox.faults.add(PAUSE);
    const names = ["one", "two", "three"];
    const failed = names.map((name) =>
      failureOf(make(calls, { type: "EnvVarSet", name }, { environmentId, variables: { [name]: "1" } })),
    );
    const rows = names.map((name) => urnOf("EnvVarSet", name));
    for (const row of rows) await plugin.log.until(TOLD, row);
    await calls.cancel();
    await Promise.all(failed);
    const told = plugin.log.lines.filter(({ text }) => TOLD.test(text));
    expect(told.map(({ urn }) => urn)).to.have.members(rows);
    expect(told.every(({ passing }) => passing)).to.equal(true);
  });
});

describe("dynamic provider: waiting", function () {
  this.timeout(HOST_MS);
  const host = new DynamicHost();
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(async () => {
    await host.close();
    await sandbox.close();
  });

  it("a step ends when the engine has its messages: it may be the last one, and the engine takes none after its run", async () => {
    const log = new LogBook();
    const service = { settings: {}, baseUrl: sandbox.url, token: sandbox.token };
    const provider = await host.start({ ...service, run: 1, fresh: true, preview: false, clock: new TestClock(), log });
    const step = { name: "vars" };
    const declared = { environmentId: SEED.shopMain, variables: { LAST: "1" }, onConflict: "overwrite", prune: false };
    const { inputs } = await provider.check("EnvVarSet", {}, declared, step);
    const { id, outputs } = await provider.create("EnvVarSet", inputs, step);
    expect(log.lines.map(({ text }) => text).join("\n")).to.contain("1 written (LAST)");
    const news = { ...inputs, variables: { LAST: "2", NEXT: "1" } };
    await provider.update("EnvVarSet", id, outputs, news, step);
    expect(log.lines.map(({ text }) => text).join("\n")).to.contain("2 written (LAST, NEXT)");
    await provider.stop();
  });

  it("what is waited for is told on the stack's row, once for all resources", async () => {
    const log = new LogBook();
    const service = { settings: {}, baseUrl: sandbox.url, token: sandbox.token };
    const provider = await host.start({ ...service, run: 1, fresh: true, preview: false, clock: new TestClock(), log });
    sandbox.faults.add(PAUSE);
    const step = { name: "vars" };
    const inputs = { environmentId: SEED.shopMain, variables: { A: "1" }, onConflict: "overwrite", prune: false };
    const { inputs: checked } = await provider.check("EnvVarSet", {}, inputs, step);
    const failed = [1, 2].map(() => provider.create("EnvVarSet", checked, step).catch((error: unknown) => error));
    const line = await log.until(TOLD);
    expect(line).to.include({ urn: "", passing: true });
    await provider.stop();
    await Promise.all(failed);
    expect(log.lines.filter(({ text }) => TOLD.test(text))).to.have.length(1);
  });
});

describe("functions in the program: waiting", () => {
  it("say what they wait for", async () => {
    await using service = await startSandbox();
    const { url, token, faults } = service;
    faults.add(PAUSE);
    const given: Readonly<Record<string, string>> = { baseUrl: url, apiToken: token };
    const ended = new AbortController();
    const lines: string[] = [];
    const status = (text: string): void => {
      lines.push(text);
      ended.abort();
    };
    const { client } = functionContext((name) => given[name], { info: () => undefined, warn: () => undefined, status });
    const read = client.environments.get(SEED.shopMain, { signal: ended.signal });
    expect(await read.catch((error: unknown) => error)).to.be.an.instanceof(Error);
    expect(lines.join("\n")).to.match(TOLD);
  });
});
