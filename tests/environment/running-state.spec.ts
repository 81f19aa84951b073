import { expect } from "chai";
import type { Action } from "../../provider/src/client/environments";
import { type Flags, flagsFromRefusal, nextAction, stateOf } from "../../provider/src/environment/running-state";

interface Row {
  readonly stopped: boolean;
  readonly retired: boolean;
  readonly deleted: boolean;
  /** The state that these flags are. */
  readonly is: "running" | "stopped";
  readonly toRun: Action | undefined;
  /** The same, once the service has refused a restart. */
  readonly toRunUnlessRestart: Action | undefined;
  readonly toStop: Action | undefined;
}

/** The decision, written out: `stopped` already holds for what is retired or deleted. */
const TABLE: readonly Row[] = [
  row("- - -", "running", undefined, undefined, "stop"),
  row("s - -", "stopped", "restart", "rebuild"),
  row("- r -", "stopped", "restart", "rebuild"),
  row("s r -", "stopped", "restart", "rebuild"),
  row("- - d", "stopped", "revive", "revive"),
  row("s - d", "stopped", "revive", "revive"),
  row("- r d", "stopped", "revive", "revive"),
  row("s r d", "stopped", "revive", "revive"),
];

function row(set: string, is: Row["is"], toRun?: Action, toRunUnlessRestart?: Action, toStop?: Action): Row {
  const flags = { stopped: set.includes("s"), retired: set.includes("r"), deleted: set.includes("d") };
  return { ...flags, is, toRun, toRunUnlessRestart, toStop };
}

/** `processing` and `ready` change nothing: with them the table has all 32 combinations. */
const CASES = TABLE.flatMap((one) =>
  [false, true].flatMap((processing) => [false, true].map((ready) => ({ ...one, processing, ready }))),
);

function describeFlags(flags: Flags): string {
  const names = (["processing", "ready", "retired", "deleted", "stopped"] as const).filter((name) => flags[name]);
  return names.join(", ") || "no flag";
}

describe("environment/running-state: the next action for every combination of the five flags", () => {
  it("has all 32 combinations", () => {
    expect(new Set(CASES.map(describeFlags)).size).to.equal(32);
  });

  for (const { is, toRun, toRunUnlessRestart, toStop, ...flags } of CASES)
    it(`${describeFlags(flags)}: ${is}; to run ${toRun ?? "nothing"}, to stop ${toStop ?? "nothing"}`, () => {
      expect(stateOf(flags)).to.equal(is);
      expect(nextAction(flags, "running", new Set())).to.equal(toRun);
      expect(nextAction(flags, "running", new Set<Action>(["restart"]))).to.equal(toRunUnlessRestart);
      expect(nextAction(flags, "stopped", new Set())).to.equal(toStop);
      expect(nextAction(flags, "stopped", new Set<Action>(["stop"]))).to.equal(toStop);
    });
});

describe("environment/running-state: what a refusal says about the flags", () => {
  it("reads the specification's titles of what is already so", () => {
    expect(flagsFromRefusal("stop", ["Environment is not running"])).to.deep.equal({ stopped: true });
    expect(flagsFromRefusal("restart", ["Environment is not retired"])).to.deep.equal({ retired: false });
    expect(flagsFromRefusal("revive", ["Environment is already active"])).to.deep.equal({ deleted: false });
  });

  it("says nothing for other titles, for none, and for a rebuild, whose refusal means the opposite", () => {
    expect(flagsFromRefusal("stop", ["Environment is not retired"])).to.deep.equal({});
    expect(flagsFromRefusal("stop", [])).to.deep.equal({});
    expect(flagsFromRefusal("rebuild", ["Environment is not active"])).to.deep.equal({});
  });
});
