import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { PreviewenvError } from "../../../provider/src/client/errors";
import { toServiceError } from "../../../provider/src/hosts/plugin/failure";
import type { FaultOptions } from "../../../provider/src/sandbox";
import { unmarked } from "../../support/marked-values";
import { failureOf, make, urnOf, usePlugin } from "./suite";

const SOURCES = join(__dirname, "..", "..", "..", "provider", "src");
const NEVER = new Promise<never>(() => undefined);

class AnyError extends PreviewenvError {
  readonly code: string;

  constructor(code: string) {
    super("text");
    this.code = code;
  }
}

/** The codes of all kinds of errors that the provider's sources declare. */
function declaredCodes(): readonly string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files.flatMap((file) =>
    [...readFileSync(join(SOURCES, file), "utf8").matchAll(/\breadonly code(?:: string)? = "(?<code>\w+)"/gu)].flatMap(
      ({ groups }) => groups?.["code"] ?? [],
    ),
  );
}

describe("native plugin, what the engine learns of a failure", () => {
  const plugin = usePlugin();

  const faults: readonly (readonly [string, FaultOptions, status])[] = [
    ["400", { status: 400 }, status.FAILED_PRECONDITION],
    ["422", { status: 422 }, status.FAILED_PRECONDITION],
    ["401", { status: 401 }, status.UNAUTHENTICATED],
    ["403", { status: 403 }, status.PERMISSION_DENIED],
    ["409", { status: 409 }, status.ABORTED],
    ["500", { status: 500 }, status.UNAVAILABLE],
    ["503", { status: 503 }, status.UNAVAILABLE],
    ["a broken connection", { dropBefore: true }, status.UNAVAILABLE],
    ["an answer that is none", { malformed: true }, status.UNAVAILABLE],
  ];
  for (const [what, fault, code] of faults)
    it(`is ${status[code]} for ${what}, and nothing is stored`, async () => {
      const calls = await plugin.begin();
      const environmentId = plugin.environment();
      plugin.sandbox.faults.add({ label: "GET /env-vars", ...fault, times: Infinity });
      const failure = await failureOf(
        make(calls, { type: "EnvVarSet", name: "vars" }, { environmentId, secrets: { A: "s3cr3t-of-this-test" } }),
      );
      expect(failure).to.include({ code, partial: undefined });
      expect(failure.message).not.to.contain("s3cr3t-of-this-test");
    });

  it("is UNAVAILABLE for a service that does not answer in time", async () => {
    const calls = await plugin.begin({ requestTimeoutSeconds: 0.2 });
    const environmentId = plugin.environment();
    plugin.sandbox.faults.add({ label: "GET /env-vars", hold: NEVER });
    const declared = { environmentId, variables: { A: "1" } };
    const failure = await failureOf(make(calls, { type: "EnvVarSet", name: "vars" }, declared));
    expect(failure.code).to.equal(status.UNAVAILABLE);
  });

  it("is NOT_FOUND for an environment that is not there, FAILED_PRECONDITION for what is refused", async () => {
    const calls = await plugin.begin();
    const environmentId = "8a1f0b9e-6c1d-4d5e-9f00-aabbccddeeff";
    const missing = make(calls, { type: "EnvVarSet", name: "vars" }, { environmentId, variables: { A: "1" } });
    expect((await failureOf(missing)).code).to.equal(status.NOT_FOUND);
    const malformed = calls.read({ urn: urnOf("EnvVarSet", "vars"), id: "no UUID" });
    expect((await failureOf(malformed)).code).to.equal(status.FAILED_PRECONDITION);
    const stopped = plugin.environment({ stopped: true });
    const branches = { environmentId: stopped, branches: { web: "feature/x" } };
    const refused = make(calls, { type: "EnvironmentBranches", name: "deployed" }, branches);
    expect((await failureOf(refused)).code).to.equal(status.FAILED_PRECONDITION);
  });

  it("is INVALID_ARGUMENT for settings that are missing or cannot work", async () => {
    const { calls } = plugin;
    await calls.handshake(plugin.engineAddress);
    const missing = await failureOf(calls.configure(unmarked({})));
    expect(missing).to.include({ code: status.INVALID_ARGUMENT });
    expect(missing.message).to.contain("previewenv:apiToken is not set");
    const insecure = calls.configure(unmarked({ baseUrl: "http://service.example", apiToken: "t" }));
    expect((await failureOf(insecure)).code).to.equal(status.INVALID_ARGUMENT);
    const early = calls.read({ urn: urnOf("EnvVarSet", "vars"), id: "any" });
    expect((await failureOf(early)).message).to.contain("not configured");
  });

  // UNKNOWN makes the engine say that the state may be corrupt.
  it("is a code of its own for every kind of error that there is", () => {
    const codes = declaredCodes().filter((code) => code !== "partial_failure");
    expect(codes).to.include.members(["refused", "settings", "build", "cancelled", "lookup"]);
    for (const code of codes) {
      expect(toServiceError(new AnyError(code)).code, code).not.to.equal(status.UNKNOWN);
      expect(toServiceError(new AnyError(code)).code, code).not.to.equal(status.INTERNAL);
    }
  });

  it("is no text of an error that nobody foresaw: it may hold a value", () => {
    const { code, details } = toServiceError(new TypeError("cannot read s3cr3t of undefined"));
    expect(code).to.equal(status.UNKNOWN);
    expect(details)
      .to.match(/^unexpected TypeError at .*; please report it to the maintainers of \S+$/u)
      .and.not.to.contain("s3cr3t");
    expect(toServiceError("s3cr3t").details).to.equal(
      "unexpected string; please report it to the maintainers of pulumi-previewenv",
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

  it("comes with what exists, when something does: id, outputs, and, of a read, inputs", async () => {
    const calls = await plugin.begin();
    const environmentId = plugin.environment();
    const fault = plugin.sandbox.faults.add({ refuse: { B: "no room for it" } });
    const declared = { environmentId, variables: { A: "1", B: "2" }, secrets: { C: "hidden-c" } };
    const target = { type: "EnvVarSet", name: "vars" };
    const { code, partial } = await failureOf(make(calls, target, declared));
    fault.remove();
    expect(code).to.equal(status.UNKNOWN);
    expect(partial).to.deep.include({ id: environmentId, inputs: unmarked({}) });
    expect(partial?.outputs.bag).to.deep.include({ variables: { A: "1" }, secrets: { C: "hidden-c" } });
    expect(partial?.outputs.marks).to.deep.include(["secrets"]);
    const state = { outputs: partial?.outputs ?? unmarked({}), inputs: unmarked(declared) };
    const seen = await failureOf(calls.read({ urn: urnOf(target.type, target.name), id: environmentId }, state));
    expect(seen.partial?.id).to.equal(environmentId);
    expect(seen.partial?.reasons.join("\n")).to.match(/\bB\b/u);
    expect(seen.partial?.inputs.bag).to.deep.include({ variables: { A: "1" }, secrets: { C: "hidden-c" } });
    expect(seen.partial?.inputs.marks).to.deep.equal([["secrets", "C"]]);
  });
});
