import { expect } from "chai";
import { getEnvVars } from "../../provider/src/functions/get-env-vars";
import { mask, SEED } from "../../provider/src/sandbox";
import { failureOf, startService } from "./service";

const ID = SEED.shopPullRequest;
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

  it("gives two empty lists when there is nothing", async () => {
    await using service = await startService();

    expect(await getEnvVars.invoke(service.context, { environmentId: SEED.shopStopped })).to.deep.equal({
      variables: [],
      inherited: [],
    });
  });

  it("leaves out inherited items that are no variables, and times that the service does not give", async () => {
    await using service = await startService();
    const inherited = [{ from: "somewhere" }, { name: "REGION", value: "eu", hidden: false }];
    service.sandbox.faults.add({ label: "GET /env-vars", status: 200, body: { data: [], included: { inherited } } });

    expect(await getEnvVars.invoke(service.context, { environmentId: ID })).to.deep.equal({
      variables: [],
      inherited: [{ name: "REGION", hidden: false, value: "eu", services: [] }],
    });
  });

  it("fails for an environment that the service does not know", async () => {
    await using service = await startService({ environments: [] });

    expect(await failureOf(getEnvVars.invoke(service.context, { environmentId: ID })))
      .to.include(`read the variables of environment ${ID}`)
      .and.to.include("404");
  });

  it("refuses what is no UUID before any request", async () => {
    await using service = await startService();

    expect(await failureOf(getEnvVars.invoke(service.context, { environmentId: "shop" }))).to.equal(
      'getEnvVars: environmentId must be a UUID, but is "shop"',
    );
    expect(service.asked()).to.deep.equal([]);
  });
});
