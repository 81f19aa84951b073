import { expect } from "chai";
import { getEnvVars } from "../../provider/src/functions/get-env-vars";
import { mask, SEED } from "../../provider/src/sandbox";
import { startService } from "./service";

const ID = SEED.shopPullRequest;
const whole = { name: "REGION", hidden: false, value: "eu", services: ["api"] };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/u;

describe("getEnvVars", () => {
  it("gives the value of a readable variable, and of a hidden one the mask in a field of its own", async () => {
    await using service = await startService();

    const { variables, inherited } = await getEnvVars.invoke(service.context, { environmentId: ID });

    const plain = variables.map(({ createdAt, updatedAt, ...rest }) => {
      expect(createdAt).to.match(TIME);
      expect(updatedAt).to.match(TIME);
      return rest;
    });
    expect(plain).to.deep.equal([
      { name: "NODE_ENV", hidden: false, value: "production", services: [] },
      { name: "PAYMENT_PROVIDER", hidden: false, value: "demo", services: ["api"] },
      { name: "SESSION_KEY", hidden: true, maskedValue: mask("not-a-real-session-key"), services: [] },
      { name: "SMTP_PASSWORD", hidden: true, maskedValue: mask("not-a-real-password"), services: ["worker"] },
    ]);
    expect(inherited.map(({ name, value, maskedValue }) => ({ name, value, maskedValue }))).to.deep.equal([
      { name: "REGION", value: "eu-central", maskedValue: undefined },
      { name: "ORG_LICENSE_KEY", value: undefined, maskedValue: mask("not-a-real-license-key") },
    ]);
    expect(service.asked()).to.deep.equal(["GET /env-vars"]);
  });

  for (const [what, item, answer] of [
    ["a whole variable", whole, whole],
    ["the shape of the environment's own", { id: ID, type: "env-var", attributes: whole }, whole],
    ["one without `hidden` and with a clear value", { name: "KEY", value: "clear-secret" }, { name: "KEY" }],
    [
      "one without `hidden` and with a mask",
      { name: "KEY", value: "se****et" },
      { name: "KEY", maskedValue: "se****et" },
    ],
    ["a hidden one in clear", { name: "KEY", value: "clear-secret", hidden: true }, { name: "KEY", hidden: true }],
    ["a hidden one with few asterisks", { name: "KEY", value: "cl*ar", hidden: true }, { name: "KEY", hidden: true }],
    ["an empty hidden one", { name: "KEY", value: "", hidden: true }, { name: "KEY", hidden: true, maskedValue: "" }],
    ["a visibility that is no boolean", { name: "KEY", value: "clear", hidden: "false" }, { name: "KEY" }],
    ["a name alone", { name: "KEY" }, { name: "KEY" }],
    ["a value alone", { value: "eu", hidden: false }, { value: "eu", hidden: false }],
    ["services that are null", { name: "KEY", services: null }, { name: "KEY", services: [] }],
    ["services of another shape", { name: "KEY", services: [{ name: "api" }] }, { name: "KEY" }],
    ["names of another type", { name: 7, hidden: false, value: "eu" }, { hidden: false, value: "eu" }],
    ["an unknown item", { from: "somewhere" }, {}],
    ["a text", "KEY=clear-secret", {}],
    ["nothing", null, {}],
  ] as const)
    it(`gives of inherited variables what can be read: ${what}`, async () => {
      await using service = await startService();
      const body = { data: [], included: { inherited: [item, { name: "LAST" }] } };
      service.sandbox.faults.add({ label: "GET /env-vars", status: 200, body });

      const { inherited } = await getEnvVars.invoke(service.context, { environmentId: ID });

      expect(inherited).to.deep.equal([answer, { name: "LAST" }]);
      expect(JSON.stringify(inherited)).not.to.include("clear-secret");
    });
});
