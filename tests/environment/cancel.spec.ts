import { once } from "node:events";
import { expect } from "chai";
import type { Context } from "../../provider/src/framework/context";
import { create } from "../../provider/src/framework/engine-calls";
import type { LiveResource } from "../../provider/src/framework/resource";
import { findResource } from "../../provider/src/resources";
import type { SandboxOptions } from "../../provider/src/sandbox";
import { ENVIRONMENT_ID as ID, onProcessStage, type ProcessStage } from "../support/process-stage";

interface Setting extends Omit<ProcessStage, "declared"> {
  readonly ctx: Context;
  readonly cancel: () => void;
  /** What stands in state of a resource with these inputs. */
  readonly inputs: ProcessStage["declared"];
  /** Cancels when the service gets a request with this label, after so many. It is never answered. */
  readonly cancelAt: (label: string, after: number) => void;
}

async function play(options: SandboxOptions, run: (setting: Setting) => Promise<void>): Promise<void> {
  const cancelled = new AbortController();
  const cancel = (): void => cancelled.abort();
  await onProcessStage(
    ({ declared, ...stage }) => {
      const cancelAt: Setting["cancelAt"] = (label, after) => {
        let seen = 0;
        const match = ({ label: found }: { readonly label: string }): boolean => {
          if (found === label) seen += 1;
          if (seen > after) cancel();
          return seen > after;
        };
        stage.sandbox.faults.add({ match, hold: once(cancelled.signal, "abort") });
      };
      return run({ ...stage, ctx: stage.context(cancelled.signal), cancel, inputs: declared, cancelAt });
    },
    options,
    { batchSize: "2", maxRetries: "4" },
  );
}

/** What a write has left that is not finished, with the reasons as one text. */
async function partial(write: Promise<Required<LiveResource>>): Promise<LiveResource & { readonly reasons: string }> {
  const written = await write;
  expect(written.unfinishedReasons).to.have.length(1);
  return { ...written, reasons: written.unfinishedReasons.join("\n") };
}

describe("a cancelled EnvVarSet", () => {
  const set = findResource("EnvVarSet");
  const variables = { A: "1", B: "2", C: "3", D: "4", E: "5" };

  it("keeps what earlier batches stored, and names the rest", () =>
    play({}, async ({ ctx, inputs, cancelAt }) => {
      cancelAt("PUT /env-vars", 1);
      const { state, reasons, id } = await partial(create(set, ctx, inputs("EnvVarSet", { variables })));
      expect(id).to.equal(ID);
      const out = "previewenv:unknown:v1::its write got no answer";
      expect(state["variables"]).to.deep.equal({ A: "1", B: "2", C: out, D: out });
      expect(reasons)
        .to.match(/C, D: .*cancelled/u)
        .and.to.contain("E: not sent");
    }));
});

describe("a cancelled wait", () => {
  it("for the state of an environment keeps the flags that were seen: something was sent", () =>
    play({ buildSeconds: 600 }, async ({ ctx, cancel, clock, inputs, sandbox }) => {
      sandbox.world.setFlags(ID, { deleted: true });
      sandbox.faults.add({ label: "POST /revive", dropBefore: true, times: Infinity });
      clock.onSleep = cancel;
      const news = inputs("EnvironmentState", { state: "running" });
      const { state } = await partial(create(findResource("EnvironmentState"), ctx, news));
      expect(state).to.include({ deleted: true });
    }));
});

describe("a deadline", () => {
  const deployed = findResource("EnvironmentBranches");

  for (const [deadlineSeconds, buildTimeoutSeconds, seconds, limit] of [
    [60, 1_800, 60, "the resource option customTimeouts"],
    [1_800, 60, 60, "buildTimeoutSeconds"],
  ] as const)
    it(`of ${deadlineSeconds} s and buildTimeoutSeconds ${buildTimeoutSeconds}: the smaller one ends the wait, by name`, () =>
      play({ buildSeconds: 3_600 }, async ({ ctx, clock, inputs }) => {
        const news = inputs("EnvironmentBranches", { branches: { web: "feature" }, buildTimeoutSeconds });
        const deadline = clock.now() + deadlineSeconds * 1_000;
        const { state, reasons } = await partial(create(deployed, { ...ctx, deadline }, news));
        expect(reasons).to.contain(`has not finished after ${seconds} s (${limit})`);
        expect(state["pending"]).to.be.an("object");
      }));

  it("of a state wait is named", () =>
    play({}, async ({ ctx, clock, inputs, sandbox }) => {
      sandbox.world.setFlags(ID, { deleted: true });
      sandbox.faults.add({ label: "POST /revive", status: 200, times: Infinity });
      const deadline = clock.now() + 30_000;
      const news = inputs("EnvironmentState", { state: "running" });
      const { reasons } = await partial(create(findResource("EnvironmentState"), { ...ctx, deadline }, news));
      expect(reasons).to.contain("is not running after 30 s (the resource option customTimeouts)");
    }));
});
