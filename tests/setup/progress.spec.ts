import { expect } from "chai";
import { load } from "./checkout";

interface Progress {
  say: (text: string) => void;
  step: <T>(title: string, work: () => Promise<T>) => Promise<T>;
}

interface Stream {
  write: (text: string) => void;
}

interface ProgressModule {
  Progress: new (options: { stream: Stream; reminderMs?: number }) => Progress;
}

/** Progress on a stream, and a way to wait until it has written something. */
async function observed(reminderMs?: number) {
  const { Progress } = await load<ProgressModule>("progress.mjs");
  let text = "";
  let look = () => undefined as void;
  const stream = { write: (piece: string) => ((text += piece), look()) };
  const wrote = (expected: string) =>
    new Promise<void>((settle) => {
      look = () => void (text.includes(expected) && settle());
      look();
    });
  return {
    progress: new Progress({ stream, ...(reminderMs === undefined ? {} : { reminderMs }) }),
    wrote,
    text: () => text,
  };
}

describe("set-up: progress", () => {
  it("says when a step begins and how long it took", async () => {
    const { progress, text } = await observed();
    expect(await progress.step("dependencies: npm ci (about 30 s)", async () => 42)).to.equal(42);
    expect(text()).to.match(
      /^\[setup\] dependencies: npm ci \(about 30 s\) \.\.\.\n\[setup\] dependencies: npm ci: done after \d+ s\n$/u,
    );
  });

  it("says that a step failed, and passes the failure on", async () => {
    const { progress, text } = await observed();
    const failure = await progress
      .step("build", () => Promise.reject(new Error("no")))
      .catch((error: Error) => error.message);
    expect(failure).to.equal("no");
    expect(text()).to.match(/^\[setup\] build \.\.\.\n\[setup\] build: failed after \d+ s\n$/u);
  });

  it("repeats in a log that a long step is still running", async () => {
    const { progress, text, wrote } = await observed(5);
    await progress.step("build (about 10 s)", () => wrote("still running"));
    expect(text()).to.match(/\n\[setup\] build \(about 10 s\): still running after \d+ s\n/u);
  });
});
