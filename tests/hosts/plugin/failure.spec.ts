import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { toServiceError } from "../../../provider/src/hosts/plugin/grpc-errors";
import { unmarked } from "../../support/marked-values";
import { failureOf, make, urnOf, usePlugin } from "./suite";

describe("native plugin, what the engine learns of a failure", () => {
  const plugin = usePlugin();

  it("is no text of an error that nobody foresaw: it may hold a value", () => {
    const { code, details } = toServiceError(new TypeError("cannot read s3cr3t of undefined"));
    expect(code).to.equal(status.UNKNOWN);
    expect(details)
      .to.match(/^unexpected TypeError at .*\. Please report it to the maintainers of \S+$/u)
      .and.not.to.contain("s3cr3t");
    expect(toServiceError("s3cr3t").details).to.equal(
      "unexpected string. Please report it to the maintainers of pulumi-previewenv",
    );
  });

  it("keeps a secret of the earlier state secret, also when the program calls it none any more and the write failed", async () => {
    const calls = await plugin.begin();
    const environmentId = plugin.environment();
    const target = { type: "EnvVarSet", name: "vars" };
    const variables = (value: string) => ({ environmentId, variables: { LEAK: value } });
    const marked = { bag: variables("was-a-secret"), marks: [["variables", "LEAK"]] };
    const urn = urnOf(target.type, target.name);
    const { inputs } = await calls.check(urn, unmarked({}), marked);
    const { id, outputs } = await calls.create({ urn }, inputs);
    plugin.sandbox.faults.add({ refuse: { LEAK: "no room" } });
    const news = (await calls.check(urn, inputs, unmarked(variables("plain")))).inputs;
    const { partial } = await failureOf(calls.update({ urn, id, olds: outputs, oldInputs: inputs, news }));
    expect(partial?.outputs.bag).to.deep.include({ variables: { LEAK: "was-a-secret" } });
    expect(partial?.outputs.marks).to.deep.include(["variables", "LEAK"]);
  });
});

const NEVER = new Promise<never>(() => undefined);

// The answers that are waited for never come: that a call ends shows that it was cancelled.
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
});
