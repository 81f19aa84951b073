import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { unmarked } from "../../support/marked-values";
import { failureOf, make, urnOf, usePlugin } from "./suite";

const BUILDING = /^\d+ s: build .{1,14} of .+ is running/u;

const NEVER = new Promise<never>(() => undefined);

// The builds and answers that are waited for never come: that a call ends shows that it was cancelled.
describe("native plugin, cancellation", () => {
  const plugin = usePlugin();

  it("ends every wait for a build, keeps each in state, and asks the service nothing more", async () => {
    const calls = await plugin.begin();
    const environments = [plugin.environment(), plugin.environment()];
    const creates = environments.map((environmentId, index) =>
      failureOf(
        make(
          calls,
          { type: "EnvironmentBranches", name: `deployed-${index}` },
          { environmentId, branches: { web: "feature/x" } },
        ),
      ),
    );
    await Promise.all(environments.map((_id, index) => plugin.arrival("GET /build-history", { nth: index + 1 })));
    await plugin.log.until(BUILDING);
    await calls.cancel();
    const failures = await Promise.all(creates);
    const made = plugin.requests();
    expect(failures.map(({ partial }) => partial?.id)).to.deep.equal(environments);
    for (const { partial } of failures) {
      expect(partial?.reasons.join("\n")).to.match(/cancelled/u);
      expect(partial?.outputs.bag).to.deep.include({ branches: { web: "feature/x" } });
    }
    // What a step still had to ask would have been asked by now.
    await plugin.begin();
    expect(plugin.requests()).to.deep.equal(made);
  });

  it("ends a request that is under way", async () => {
    const calls = await plugin.begin();
    const arrived = plugin.arrival("GET /env-vars", { hold: NEVER });
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

  it("between batches leaves those that are written in state, and sends no other", async () => {
    const calls = await plugin.begin({ batchSize: 2 });
    const environmentId = plugin.environment();
    const arrived = plugin.arrival("PUT /env-vars", { nth: 2, hold: NEVER });
    const variables = { A: "1", B: "2", C: "3", D: "4", E: "5" };
    const creating = failureOf(make(calls, { type: "EnvVarSet", name: "vars" }, { environmentId, variables }));
    await arrived;
    await calls.cancel();
    const { partial } = await creating;
    expect(partial?.id).to.equal(environmentId);
    const out = "previewenv:unknown:v1::its write got no answer";
    expect(partial?.outputs.bag).to.deep.include({ variables: { A: "1", B: "2", C: out, D: out } });
    expect(partial?.reasons.join("\n"))
      .to.match(/C, D: .*cancelled/iu)
      .and.to.match(/E: not sent/u);
    const puts = plugin.sandbox.journal.entries.filter(({ label }) => label === "PUT /env-vars");
    expect(puts.map(({ names }) => names)).to.deep.equal([
      ["A", "B"],
      ["C", "D"],
    ]);
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

  it("do not keep a cancellation from ending a call before them", async () => {
    const calls = await plugin.begin();
    const arrived = plugin.arrival("GET /env-vars", { hold: NEVER });
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
