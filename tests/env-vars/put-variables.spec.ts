import { expect } from "chai";
import { ConfigError } from "../../provider/src/client/errors";
import * as calls from "../../provider/src/framework/engine-calls";
import { findResource } from "../../provider/src/resources";
import { ENVIRONMENT_ID, onProcessStage } from "../support/process-stage";

const UPDATED_AT = "2026-01-01T00:00:00";
const SETTINGS = { baseUrl: "http://previews.example.test", allowInsecureHttp: "true" };

const cases = [
  {
    type: "EnvVarSet",
    declared: { variables: { A: "2" }, onConflict: "overwrite" },
    stored: { variables: { A: "1" }, secrets: {}, revision: "r", observed: { v: 1, names: { [UPDATED_AT]: "A" } } },
  },
  {
    type: "EnvVar",
    declared: { name: "A", value: "2", onConflict: "overwrite" },
    stored: { name: "A", value: "1", hidden: true, updatedAt: UPDATED_AT },
  },
] as const;

describe("variables: a PUT that was certainly not sent", () => {
  let before: string | undefined;

  beforeEach(() => {
    before = process.env["http_proxy"];
    process.env["http_proxy"] = "wrong address";
  });

  afterEach(() => {
    if (before === undefined) delete process.env["http_proxy"];
    else process.env["http_proxy"] = before;
  });

  for (const { type, declared: given, stored } of cases)
    for (const step of ["create", "update"] as const)
      it(`leaves state as it was, for a proxy that cannot be one: ${step} of ${type}`, () =>
        onProcessStage(
          async ({ context, declared }) => {
            const resource = findResource(type);
            const news = declared(type, given);
            const old = { environmentId: ENVIRONMENT_ID, ...stored };
            const writing =
              step === "create"
                ? calls.create(resource, context(), news)
                : calls.update(resource, context(), ENVIRONMENT_ID, news, old);
            const outcome: unknown = await writing.catch((error: unknown) => error);
            expect(outcome).to.be.instanceOf(Error);
            expect(String(outcome))
              .to.contain("http_proxy must be the address of a proxy")
              .and.not.contain("not known")
              .and.not.contain("may have stored");
            if (type === "EnvVarSet") expect(outcome).to.be.instanceOf(ConfigError);
          },
          {},
          SETTINGS,
        ));
});
