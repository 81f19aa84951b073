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
  Progress: new (stream: Stream) => Progress;
}

/** Progress, and what it has written. */
async function observed() {
  const { Progress } = await load<ProgressModule>("progress.mjs");
  let text = "";
  return { progress: new Progress({ write: (piece) => void (text += piece) }), text: () => text };
}

describe("set-up: progress", () => {
  it("says when a step begins and how long it took", async () => {
    const { progress, text } = await observed();
    expect(await progress.step("dependencies: npm ci (about 30 s)", async () => 42)).to.equal(42);
    expect(text()).to.match(
      /^\[setup\] dependencies: npm ci \(about 30 s\) \.\.\.\n\[setup\] dependencies: npm ci: done after \d+ s\n$/u,
    );
  });

  it("says that a step was not possible, and passes the failure on", async () => {
    const { progress, text } = await observed();
    const failure = await progress
      .step("build", () => Promise.reject(new Error("no")))
      .catch((error: Error) => error.message);
    expect(failure).to.equal("no");
    expect(text()).to.match(/^\[setup\] build \.\.\.\n\[setup\] build: not possible after \d+ s\n$/u);
  });
});
