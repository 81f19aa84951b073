import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { unmarked } from "../../support/marked-values";
import { failureOf, make, urnOf, usePlugin } from "./suite";

const NEVER = new Promise<never>(() => undefined);

// The answers that are waited for never come: that a call ends shows that it was cancelled.
describe("native plugin, cancellation", () => {
  const plugin = usePlugin();

  it("ends a request that is under way", async () => {
    const calls = await plugin.begin();
    const arrived = plugin.arrival("GET /env-vars", NEVER);
    const creating = failureOf(
      make(calls, { type: "EnvVarSet", name: "vars" }, { environmentId: plugin.environment(), variables: { A: "1" } }),
    );
    await arrived;
    await calls.cancel();
    const failure = await creating;
    expect(failure).to.include({ code: status.FAILED_PRECONDITION, partial: undefined });
    expect(failure.message).to.match(/cancelled/u);
    expect(plugin.requests()).to.deep.equal(["GET /env-vars"]);
  });

  it("is for the run that it ends: calls of it that come later do nothing, those of the next run are born free", async () => {
    const environmentId = plugin.environment();
    const calls = await plugin.begin();
    await calls.cancel();
    const declared = { environmentId, variables: { A: "1" } };
    const late = await failureOf(make(calls, { type: "EnvVarSet", name: "vars" }, declared));
    expect(late.message).to.match(/cancelled/u);
    expect(plugin.requests()).to.deep.equal([]);
    await plugin.begin();
    const { id } = await make(calls, { type: "EnvVarSet", name: "vars" }, declared);
    expect(id).to.equal(environmentId);
  });
});

describe("native plugin, customTimeouts", () => {
  const plugin = usePlugin();

  it("ends a request that does not end by itself, and says so", async () => {
    const calls = await plugin.begin();
    const id = plugin.environment();
    plugin.sandbox.faults.add({ label: "GET /env-vars", hold: NEVER });
    const failure = await failureOf(calls.read({ urn: urnOf("EnvVarSet", "vars"), id, timeoutSeconds: 1 }));
    expect(failure.code).to.equal(status.FAILED_PRECONDITION);
    expect(failure.message).to.match(
      /\. The step took longer than 1 s, which is its limit in the resource option customTimeouts\.$/u,
    );
    // Another call of the same run is not concerned.
    const declared = { environmentId: id, variables: { A: "1" } };
    expect((await make(calls, { type: "EnvVarSet", name: "vars", timeoutSeconds: 60 }, declared)).id).to.equal(id);
  });

  // Of these, a thousand times is no whole number, or no number that a timer takes.
  for (const timeoutSeconds of [128.01, 64.0001, 3_000_000.5])
    it(`may be any number of seconds: ${timeoutSeconds}`, async () => {
      const calls = await plugin.begin();
      const declared = { environmentId: plugin.environment(), variables: { A: "1" } };
      await make(calls, { type: "EnvVarSet", name: "vars", timeoutSeconds }, declared);
      expect(plugin.requests()).to.include("PUT /env-vars");
    });

  it("do not keep a cancellation from ending a call before them", async () => {
    const calls = await plugin.begin();
    const arrived = plugin.arrival("GET /env-vars", NEVER);
    const id = plugin.environment();
    const failure = failureOf(calls.read({ urn: urnOf("EnvVarSet", "vars"), id, timeoutSeconds: 600 }));
    await arrived;
    await calls.cancel();
    expect((await failure).message).to.match(/cancelled/u);
  }).timeout(20_000);

  it("of an update end its wait, and the build is kept for the next one", async () => {
    const calls = await plugin.begin();
    const environmentId = plugin.environment();
    const declared = { environmentId, branches: { web: "main" } };
    const { id, inputs, outputs } = await make(calls, { type: "EnvironmentBranches", name: "deployed" }, declared);
    const urn = urnOf("EnvironmentBranches", "deployed");
    const news = await calls.check(urn, inputs, unmarked({ ...declared, branches: { web: "feature/x" } }));
    const comparison = { urn, id, olds: outputs, oldInputs: inputs, news: news.inputs };
    // Time enough to get to the build, which never ends by itself.
    const { partial } = await failureOf(calls.update({ ...comparison, timeoutSeconds: 5 }));
    expect(partial?.reasons.join("\n")).to.match(/customTimeouts/u);
    plugin.clock.advance(60_000);
    const state = await calls.update({ ...comparison, olds: partial?.outputs ?? unmarked({}), timeoutSeconds: 60 });
    expect(state.bag).to.deep.include({ branches: { web: "feature/x" } });
    expect(plugin.requests().filter((label) => !label.startsWith("GET"))).to.deep.equal(["PATCH /environment"]);
  });
});
