import { once } from "node:events";
import { expect } from "chai";
import { CancelledError } from "../../provider/src/client/errors";
import type { Context } from "../../provider/src/framework/context";
import { create, update } from "../../provider/src/framework/engine-calls";
import type { LiveResource } from "../../provider/src/framework/resource";
import { findResource } from "../../provider/src/resources";
import type { SandboxOptions } from "../../provider/src/sandbox";
import { ENVIRONMENT_ID as ID, onProcessStage, type ProcessStage } from "../support/process-stage";

const SECRET = "secret-value-1234";

interface Setting extends Omit<ProcessStage, "declared"> {
  readonly ctx: Context;
  /** Another call of the same process. */
  readonly another: () => { readonly ctx: Context; readonly cancel: () => void };
  readonly cancel: () => void;
  /** What stands in state of a resource with these inputs. */
  readonly inputs: ProcessStage["declared"];
  /** Cancels when the service gets a request with this label, after so many. The service has it until `release`. */
  readonly cancelAt: (label: string, after?: number, cancel?: () => void) => { readonly release: () => void };
}

async function play(options: SandboxOptions, run: (setting: Setting) => Promise<void>): Promise<void> {
  const ended = new AbortController();
  await onProcessStage(
    async ({ declared, ...stage }) => {
      const another = () => {
        const controller = new AbortController();
        return { ctx: stage.context(controller.signal), cancel: () => controller.abort() };
      };
      const first = another();
      const cancelAt: Setting["cancelAt"] = (label, after = 0, cancel = first.cancel) => {
        const held = new AbortController();
        const hold = once(AbortSignal.any([held.signal, ended.signal]), "abort");
        let seen = 0;
        const match = ({ label: found }: { readonly label: string }): boolean => {
          if (found !== label) return false;
          seen += 1;
          if (seen === after + 1) cancel();
          return seen === after + 1;
        };
        stage.sandbox.faults.add({ match, hold });
        return { release: () => held.abort() };
      };
      try {
        await run({ ...stage, ctx: first.ctx, cancel: first.cancel, another, inputs: declared, cancelAt });
      } finally {
        ended.abort();
      }
    },
    options,
    { batchSize: "2", maxRetries: "4" },
  );
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
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

describe("a cancelled EnvVar", () => {
  const single = findResource("EnvVar");
  const one = (inputs: Setting["inputs"], name: string) => inputs("EnvVar", { name, value: SECRET });

  it("leaves alone the others that share its read, or write and delete beside it", () =>
    play({}, async ({ another, restart, inputs, cancelAt, sandbox }) => {
      const step = async (label: string, act: (ctx: Context, name: string) => Promise<unknown>): Promise<void> => {
        await restart();
        const [quitter, second, third] = [another(), another(), another()];
        const { release } = cancelAt(label, 0, quitter.cancel);
        const cancelled = act(quitter.ctx, "A").catch((error: unknown) => error);
        const others = [failure(act(second.ctx, "B")), failure(act(third.ctx, "C"))];
        const end = await cancelled;
        release();
        if (label === "PUT /env-vars")
          expect(end).to.have.nested.property("state.value").that.contains("previewenv:unknown:v1:");
        else expect(end, label).to.be.instanceOf(CancelledError);
        expect(await Promise.all(others), label).to.deep.equal([undefined, undefined]);
      };
      await step("GET /env-vars", (ctx, name) => create(single, ctx, one(inputs, name)));
      const all = { environmentId: ID, value: SECRET, hidden: true };
      await step("PUT /env-vars", (ctx, name) =>
        update(single, ctx, `${ID}/${name}`, inputs("EnvVar", { name, value: "second-value" }), { ...all, name }),
      );
      expect(sandbox.world.variable(ID, "C")?.value).to.equal("second-value");
      await step("DELETE /env-vars", (ctx, name) => single.delete(ctx, `${ID}/${name}`, { ...all, name }));
      expect(sandbox.world.variable(ID, "B")).to.equal(undefined);
      expect(sandbox.world.variable(ID, "C")).to.equal(undefined);
    }));
});

describe("a cancelled wait", () => {
  const deployed = findResource("EnvironmentBranches");

  it("for a build keeps the state, with the build as pending", () =>
    play({ buildSeconds: 600 }, async ({ ctx, cancel, clock, inputs }) => {
      clock.onSleep = (elapsedMs) => elapsedMs > 60_000 && cancel();
      const news = inputs("EnvironmentBranches", { branches: { web: "feature" } });
      const { state, reasons } = await partial(create(deployed, ctx, news));
      expect(state).to.deep.include({ branches: { web: "feature" }, originalBranches: { web: "main" } });
      expect(state["pending"]).to.deep.include({ v: 1, branches: { web: "feature" } });
      expect(reasons).to.contain("cancelled");
      expect(clock.now()).to.be.below(Date.parse("2026-01-01T00:02:00Z"));
    }));

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
