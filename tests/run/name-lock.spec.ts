import { expect } from "chai";
import { CancelledError } from "../../provider/src/client/errors";
import { NameLock } from "../../provider/src/run/name-lock";

const never = new AbortController().signal;
/** One turn of the event loop: whatever was free to begin has begun. */
const turn = () => new Promise((done) => setImmediate(done));

describe("NameLock", () => {
  function start() {
    const lock = new NameLock();
    const events: string[] = [];
    const release = new Map<string, () => void>();
    const act = async (title: string, names: readonly string[], signal = never): Promise<void> => {
      using _lock = await lock.lock(names, signal);
      events.push(`${title} begins`);
      await new Promise<void>((end) => release.set(title, end));
      events.push(`${title} ends`);
    };
    const end = async (title: string): Promise<void> => {
      release.get(title)?.();
      await turn();
    };
    return { act, end, events };
  }

  it("does not keep those waiting who want other names, nor one who wants a name twice", async () => {
    const { act, end, events } = start();
    const all = [act("a", ["X"]), act("b", ["Y", "Y"]), act("none", [])];
    await turn();
    expect(events.toSorted()).to.deep.equal(["a begins", "b begins", "none begins"]);
    for (const title of ["a", "b", "none"]) await end(title);
    await Promise.all(all);
  });

  it("is not waited for after a cancellation, and those behind still wait for those before", async () => {
    const { act, end, events } = start();
    const ending = new AbortController();
    const first = act("a", ["X"]);
    const second = act("b", ["X"], ending.signal).catch((error: unknown) => error);
    const third = act("c", ["X"]);
    await turn();
    ending.abort();
    expect(await second).to.be.instanceOf(CancelledError);
    await turn();
    expect(events).to.deep.equal(["a begins"]);
    await end("a");
    await end("c");
    await Promise.all([first, third]);
    expect(events).to.deep.equal(["a begins", "a ends", "c begins", "c ends"]);
  });
});
