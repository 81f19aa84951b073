import { expect } from "chai";
import { existsSync, readFileSync, statSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { load, newFolder, removeFolders, startProcess, write } from "./checkout";

interface LockOptions {
  onWait?: (pid: number | undefined) => void;
  signal?: AbortSignal;
  staleMs?: number;
  pollMs?: number;
}

interface LockModule {
  withLock: <T>(path: string, options: LockOptions, work: () => Promise<T>) => Promise<T>;
}

const MODULE = pathToFileURL(resolve(__dirname, "..", "..", "tools", "setup", "lock.mjs")).href;

const LONG_AGO = new Date(0);

/** Another process that runs `work` (a function's body) in the lock at `path`. */
function another(path: string, work: string) {
  const program = `
    import { existsSync, readFileSync, writeFileSync } from "node:fs";
    import { setTimeout as delay } from "node:timers/promises";
    import { withLock } from ${JSON.stringify(MODULE)};
    await withLock(${JSON.stringify(path)}, { pollMs: 5 }, async () => { ${work} });`;
  return startProcess(["--input-type=module", "-e", program], newFolder());
}

describe("set-up: the lock", () => {
  afterEach(removeFolders);

  it("lets one process in at a time", async () => {
    const folder = newFolder();
    const counter = join(folder, "counter");
    write(counter, "0");
    const add = `const before = Number(readFileSync(${JSON.stringify(counter)}, "utf8"));
      await delay(20);
      writeFileSync(${JSON.stringify(counter)}, String(before + 1));`;
    const processes = Array.from({ length: 4 }, () => another(join(folder, "lock"), add));
    const ends = await Promise.all(processes.map(({ end }) => end));
    expect(ends.map(({ code, stderr }) => [code, stderr])).to.deep.equal(Array.from({ length: 4 }, () => [0, ""]));
    expect(readFileSync(counter, "utf8")).to.equal("4");
  });

  it("tells which process it waits for, and goes on when the owner is done", async () => {
    const { withLock } = await load<LockModule>("lock.mjs");
    const folder = newFolder();
    const [path, done] = [join(folder, "lock"), join(folder, "done")];
    const owner = another(path, `console.log("inside"); while (!existsSync(${JSON.stringify(done)})) await delay(5);`);
    await owner.printed("inside");
    const waitedFor: (number | undefined)[] = [];
    const onWait = (pid: number | undefined): void => {
      waitedFor.push(pid);
      write(done, "");
    };
    const result = await withLock(path, { pollMs: 5, onWait }, async () => "mine");
    expect([result, waitedFor]).to.deep.equal(["mine", [owner.pid]]);
    expect((await owner.end).code).to.equal(0);
  });

  it("is taken over when its owner was killed", async () => {
    const { withLock } = await load<LockModule>("lock.mjs");
    const path = join(newFolder(), "lock");
    const owner = another(path, `console.log("inside"); await delay(60_000);`);
    await owner.printed("inside");
    owner.kill("SIGKILL");
    await owner.end;
    expect(existsSync(path)).to.equal(true);
    expect(await withLock(path, { pollMs: 5 }, async () => "mine")).to.equal("mine");
  });

  it("is taken over when an owner on another machine shows no heartbeat, and not before", async () => {
    const { withLock } = await load<LockModule>("lock.mjs");
    const path = join(newFolder(), "lock");
    write(join(path, "owner.json"), JSON.stringify({ token: "other", pid: process.pid, host: `not-${hostname()}` }));
    const stop = new AbortController();
    const waiting = withLock(path, { pollMs: 5, signal: stop.signal, onWait: () => stop.abort() }, async () => "mine");
    expect(await waiting.catch((error: Error) => error.name)).to.equal("AbortError");
    utimesSync(path, LONG_AGO, LONG_AGO);
    expect(await withLock(path, { pollMs: 5 }, async () => "mine")).to.equal("mine");
  });

  it("stays with a living owner that works for longer than a heartbeat may be old", async () => {
    const { withLock } = await load<LockModule>("lock.mjs");
    const path = join(newFolder(), "lock");
    const order: string[] = [];
    let first: Promise<void> | undefined;
    let end = (): void => undefined;
    const ended = new Promise<void>((settle) => (end = settle));
    const inside = new Promise<void>((settle) => {
      first = withLock(path, { staleMs: 60 }, async () => {
        settle();
        await ended;
        order.push("first");
      });
    });
    await inside;
    // Its heartbeat makes the lock young again, however old it has become.
    utimesSync(path, LONG_AGO, LONG_AGO);
    while (statSync(path).mtimeMs <= LONG_AGO.getTime()) await delay(5);
    const second = withLock(path, { pollMs: 5, onWait: end }, async () => void order.push("second"));
    await Promise.all([first, second]);
    expect(order).to.deep.equal(["first", "second"]);
  });

  it("is free again after work that failed", async () => {
    const { withLock } = await load<LockModule>("lock.mjs");
    const path = join(newFolder(), "lock");
    const failure = await withLock(path, {}, () => Promise.reject(new Error("no"))).catch(
      (error: Error) => error.message,
    );
    expect([failure, existsSync(path)]).to.deep.equal(["no", false]);
  });
});
