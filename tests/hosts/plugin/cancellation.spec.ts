import { status } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { expect } from "chai";
import { unmarked } from "../../support/marked-values";
import { call } from "../../support/plugin-calls";
import { failureOf, make, urnOf, usePlugin } from "./suite";

const BUILDING = /^\d+ s: build .{1,14} of .+ is running/u;

/** A promise that a test keeps open. */
function barrier(): { readonly hold: Promise<void>; readonly release: () => void } {
  let release: () => void = () => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { hold, release };
}

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
    const { hold, release } = barrier();
    const arrived = plugin.arrival("GET /env-vars", { hold });
    const creating = failureOf(
      make(calls, { type: "EnvVarSet", name: "vars" }, { environmentId: plugin.environment(), variables: { A: "1" } }),
    );
    await arrived;
    await calls.cancel();
    const failure = await creating;
    release();
    expect(failure).to.include({ code: status.FAILED_PRECONDITION, partial: undefined });
    expect(failure.message).to.match(/cancelled/u);
    expect(plugin.requests()).to.deep.equal(["GET /env-vars"]);
  });

  it("between batches leaves those that are written in state, and sends no other", async () => {
    const calls = await plugin.begin({ batchSize: 2 });
    const environmentId = plugin.environment();
    const { hold, release } = barrier();
    const arrived = plugin.arrival("PUT /env-vars", { nth: 2, hold });
    const variables = { A: "1", B: "2", C: "3", D: "4", E: "5" };
    const creating = failureOf(make(calls, { type: "EnvVarSet", name: "vars" }, { environmentId, variables }));
    await arrived;
    await calls.cancel();
    const { partial } = await creating;
    release();
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

  it("ends the first of two runs that attach to one process, and not the second", async () => {
    const environmentId = plugin.environment();
    const attach = async (): Promise<void> => {
      const calls = await plugin.begin();
      const request = new PluginAttach();
      request.setAddress(plugin.engineAddress);
      await call((done) => plugin.process.client.attach(request, done));
      const urn = urnOf("EnvVarSet", "vars");
      const { inputs } = await calls.check(urn, unmarked({}), unmarked({ environmentId, secrets: { A: "hidden-1" } }));
      await calls.create({ urn }, inputs);
      await calls.cancel();
    };
    await attach();
    await attach();
    expect(plugin.requests().filter((label) => label === "PUT /env-vars")).to.have.length(2);
  });
});
