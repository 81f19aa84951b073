import { expect } from "chai";
import * as calls from "../../provider/src/framework/engine-calls";
import { findResource } from "../../provider/src/resources";
import { failure } from "../client/support/samples";
import { withoutProxies } from "../client/support/network";
import { ENVIRONMENT_ID, onProcessStage } from "../support/process-stage";
import { ConfigError } from "../../provider/src/client/errors";

const set = findResource("EnvVarSet");
const single = findResource("EnvVar");

describe("variables: writers of one environment", () => {
  for (const [spelling, environmentId] of [
    ["the same spelling", ENVIRONMENT_ID],
    ["capitals", ENVIRONMENT_ID.toUpperCase()],
  ] as const)
    it(`a create after a set has let the name go does not go by an earlier read: ${spelling} of the id`, () =>
      onProcessStage(async ({ context, declared, restart, values }) => {
        const old = await calls.create(set, context(), declared("EnvVarSet", { variables: { X: "1", KEEP: "k" } }));
        const other = { environmentId, name: "A", value: "a", hidden: false };
        const a = await calls.create(single, context(), declared("EnvVar", other));
        await restart();
        await Promise.all([
          calls.read(set, context(), old.id, old.state),
          calls.read(single, context(), a.id, a.state),
        ]);
        const kept = declared("EnvVarSet", { variables: { KEEP: "k2" } });
        const moved = declared("EnvVar", { environmentId, name: "X", value: "1", hidden: false });
        await Promise.all([
          calls.update(set, context(), old.id, kept, old.state),
          calls.create(single, context(), moved),
        ]);
        expect(values()).to.deep.equal({ A: "a", KEEP: "k2", X: "1" });
      }));

  for (const [type, id] of [
    ["EnvVarSet", ENVIRONMENT_ID],
    ["EnvVar", `${ENVIRONMENT_ID}/THEIRS`],
  ] as const)
    it(`a name that an ${type} only looked at by its id is not the stack's own after a refresh`, () =>
      onProcessStage(async ({ context, declared, sandbox, restart, values }) => {
        sandbox.world.setVariable(ENVIRONMENT_ID, { name: "THEIRS", value: "theirs", hidden: false });
        const looked = await calls.read(findResource(type), context(), id, {});
        await restart();
        await calls.read(findResource(type), context(), id, looked?.state ?? {}, {});
        const made = calls.create(set, context(), declared("EnvVarSet", { variables: { THEIRS: "ours" } }));
        expect(String(await failure(made))).to.contain("already has a variable");
        expect(values()).to.deep.equal({ THEIRS: "theirs" });
      }));

  it("a create after a DELETE that got no answer looks again", () =>
    onProcessStage(async ({ context, declared, restart, sandbox, values }) => {
      const x = { name: "X", value: "1", hidden: false };
      const old = await calls.create(single, context(), declared("EnvVar", x));
      await restart();
      await calls.read(single, context(), old.id, old.state);
      sandbox.faults.add({ label: "DELETE /env-vars", dropAfter: true });
      const [gone, made] = await Promise.allSettled([
        calls.remove(single, context(), old.id, old.state),
        calls.create(single, context(), { environmentId: ENVIRONMENT_ID, ...x, onConflict: "fail" }),
      ]);
      expect([gone.status, made.status]).to.deep.equal(["rejected", "fulfilled"]);
      expect(values()).to.deep.equal({ X: "1" });
    }));

  for (const [type, given] of [
    ["EnvVarSet", (value: string) => ({ variables: { X: value, Y: "y" } })],
    ["EnvVar", (value: string) => ({ name: "X", value, hidden: false })],
  ] as const)
    it(`a replacement that is deleted first writes a changed value over whatever was left: ${type}`, () =>
      onProcessStage(async ({ context, declared, restart, values }) => {
        const resource = findResource(type);
        const old = await calls.create(resource, context(), declared(type, given("1")));
        await restart();
        const news = declared(type, given("2"));
        calls.diff(resource, old.state, news, context());
        await calls.remove(resource, context(), old.id, old.state);
        await calls.create(resource, context(), news);
        expect(values()).to.include({ X: "2" });
      }));
});

const SETTINGS = { baseUrl: "http://previews.example.test", allowInsecureHttp: "true" };
const A = { value: "1", updatedAt: "2026-01-01T00:00:00" };

const cases = [
  {
    type: "EnvVarSet",
    declared: { variables: { A: "2" }, onConflict: "overwrite" },
    stored: { variables: { A: A.value }, revision: "r", observed: { v: 1, names: { [A.updatedAt]: "A" } } },
  },
  {
    type: "EnvVar",
    declared: { name: "A", value: "2", onConflict: "overwrite" },
    stored: { name: "A", hidden: true, ...A },
  },
] as const;

describe("variables: a PUT that was certainly not sent", () => {
  withoutProxies();
  beforeEach(() => (process.env["http_proxy"] = "wrong address"));

  for (const { type, declared: given, stored } of cases)
    for (const step of ["create", "update"] as const)
      it(`leaves state as it was, for a proxy that cannot be one: ${step} of ${type}`, () =>
        onProcessStage(
          async ({ context, declared }) => {
            const resource = findResource(type);
            const news = declared(type, given);
            const old = { environmentId: ENVIRONMENT_ID, ...stored };
            const outcome = await failure(
              step === "create"
                ? calls.create(resource, context(), news)
                : calls.update(resource, context(), ENVIRONMENT_ID, news, old),
            );
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
