import { expect } from "chai";
import type { EnvironmentSeed } from "../../provider/src/sandbox";
import { type RawAnswer, type ServiceStage, snapshotOf, startService } from "./support/service-stage";
import { MISSING_FIELD } from "./support/specification";
import { PartialUpsertBody, UpsertBody, VariableListBody } from "./support/specification-shapes";

const ID = "11111111-1111-4111-8111-111111111111";
const SECOND_MS = 1000;
const shop: EnvironmentSeed = { id: ID, name: "shop", projects: [{ repoName: "web", branch: "main" }] };

function start(seed: Partial<EnvironmentSeed> = {}): Promise<ServiceStage> {
  return startService({ environments: [{ ...shop, ...seed }] });
}

function put(stage: ServiceStage, ...items: readonly unknown[]): Promise<RawAnswer> {
  return stage.raw("writeVariables", { id: ID, body: { env_vars: items } });
}

function plain(name: string, value: string) {
  return { name, value, hidden: false, services: [] };
}

/** Each rule of the upsert, by plain HTTP and then by the client. */
const rules: Readonly<Record<string, (stage: ServiceStage) => Promise<void>>> = {
  "a variable of the same name is updated, otherwise a new one is created": async (stage) => {
    const created = UpsertBody.parse((await put(stage, plain("A", "1"))).json).data[0];
    expect(created?.attributes).to.include({ value: "1", created_at: "2026-01-01T00:00:00" });
    stage.clock.advance(SECOND_MS);
    const updated = UpsertBody.parse((await put(stage, plain("A", "2"), plain("B", "3"))).json).data;
    expect(updated.map(({ attributes }) => [attributes.name, attributes.value])).to.deep.equal([
      ["A", "2"],
      ["B", "3"],
    ]);
    expect(updated[0]?.id).to.equal(created?.id);
    const times = { created_at: "2026-01-01T00:00:00", updated_at: "2026-01-01T00:00:01" };
    expect(updated[0]?.attributes).to.include(times);
    stage.clock.advance(SECOND_MS);
    const { stored } = await stage.client.envVars.upsert(ID, [plain("A", "4")]);
    const id = created?.id;
    const written = { createdAt: "2026-01-01T00:00:00", updatedAt: "2026-01-01T00:00:02" };
    expect(stored).to.deep.equal([{ ...plain("A", "4"), ...written, id }]);
    const { variables } = await stage.client.envVars.list(ID);
    expect(variables.map(({ name, value }) => [name, value])).to.deep.equal([
      ["A", "4"],
      ["B", "3"],
    ]);
  },
  "when a name occurs more than once in one request, the last value is used": async (stage) => {
    const answer = await put(stage, plain("A", "first"), plain("B", "other"), plain("A", "last"));
    expect(answer.status).to.equal(200);
    const shown = UpsertBody.parse(answer.json).data.map(({ attributes }) => [attributes.name, attributes.value]);
    expect(shown).to.deep.equal([
      ["A", "last"],
      ["B", "other"],
    ]);
    const { stored, failed } = await stage.client.envVars.upsert(ID, [plain("C", "first"), plain("C", "last")]);
    expect(failed).to.deep.equal([]);
    expect(stored.map(({ name, value }) => [name, value])).to.deep.equal([["C", "last"]]);
    expect(stage.world.variable(ID, "C")).to.include({ value: "last" });
  },
  "when some items fail, the answer is 207 with data and errors, whose name may be null": async (stage) => {
    stage.sandbox.faults.add({ refuse: { B: "B is not allowed" }, times: 2 });
    const answer = await put(stage, plain("A", "1"), plain("B", "2"), { name: "C" }, { value: "3" });
    expect(answer.status).to.equal(207);
    const { data, errors } = PartialUpsertBody.parse(answer.json);
    expect(data.map(({ attributes }) => attributes.name)).to.deep.equal(["A"]);
    expect(errors.map(({ name }) => name)).to.deep.equal(["B", "C", null]);
    expect(errors[0]?.error).to.equal("B is not allowed");
    for (const { error } of errors.slice(1)) expect(error).to.match(MISSING_FIELD);
    const write = [plain("A", "2"), plain("B", "2"), plain("", "3")];
    const { stored, failed } = await stage.client.envVars.upsert(ID, write);
    expect(stored.map(({ name, value }) => [name, value])).to.deep.equal([["A", "2"]]);
    expect(failed).to.deep.equal([{ name: "B", reason: "B is not allowed" }, { reason: errors[2]?.error }]);
    expect(stage.world.variables(ID).map(({ name }) => name)).to.deep.equal(["A"]);
  },
  "when env_vars is missing or invalid, the answer is 400": async (stage) => {
    const before = snapshotOf(stage.world);
    for (const body of [{}, { env_vars: null }, { env_vars: {} }, { env_vars: "A=1" }, { env_vars: ["A=1"] }, []]) {
      const answer = await stage.raw("writeVariables", { id: ID, body });
      expect(answer.status, JSON.stringify(body)).to.equal(400);
    }
    expect(snapshotOf(stage.world)).to.deep.equal(before);
    // The client always sends an array of objects.
    await stage.client.envVars.upsert(ID, []);
    expect(stage.requests().at(-1)).to.include({ label: "PUT /env-vars", status: 200 });
  },
};

describe("service: rules of the upsert", () => {
  for (const [text, rule] of Object.entries(rules)) {
    it(text, async () => {
      await using stage = await start();
      await rule(stage);
    });
  }
});

/** The fields of an item that may be left out. */
const fields: Readonly<Record<string, (stage: ServiceStage) => Promise<void>>> = {
  hidden: async (stage) => {
    const [item] = UpsertBody.parse((await put(stage, { name: "A", value: "0123456789", services: [] })).json).data;
    expect(item?.attributes).to.include({ hidden: true, value: "01******89" });
    // The client leaves nothing to this default: it sends what it was told.
    const { stored } = await stage.client.envVars.upsert(ID, [plain("A", "0123456789")]);
    expect(stored[0]).to.include({ hidden: false, value: "0123456789" });
    const [secret] = (await stage.client.envVars.upsert(ID, [{ ...plain("A", "0123456789"), hidden: true }])).stored;
    expect(secret).to.include({ hidden: true, value: "01******89" });
  },
  services: async (stage) => {
    const item = { name: "A", value: "1", hidden: false };
    const scoped = { ...item, services: ["web", "worker"] };
    for (const everywhere of [item, { ...item, services: null }]) {
      await put(stage, scoped);
      const [answered] = UpsertBody.parse((await put(stage, everywhere)).json).data;
      expect(answered?.attributes.services).to.deep.equal([]);
    }
    const { stored } = await stage.client.envVars.upsert(ID, [scoped]);
    expect(stored[0]?.services).to.deep.equal(["web", "worker"]);
    expect(stage.world.variable(ID, "A")?.services).to.deep.equal(["web", "worker"]);
  },
};

describe("service: fields of a variable that is written", () => {
  for (const [name, check] of Object.entries(fields)) {
    it(`${name}, when it is left out`, async () => {
      await using stage = await start();
      await check(stage);
    });
  }
});

describe("service: variables that are read", () => {
  it("is understood where inherited items are not variables: what they hold is not shown", async () => {
    await using stage = await start({ variables: [plain("OWN", "1")] });
    const inheritedOf = async (inherited: unknown): Promise<readonly unknown[]> => {
      const body = { data: [], included: { inherited } };
      stage.sandbox.faults.add({ label: "GET /env-vars", status: 200, body });
      return (await stage.client.envVars.list(ID)).inherited;
    };
    expect(await inheritedOf([{ id: ID }, "REGION", null, 7])).to.deep.equal([{}, {}, {}, {}]);
    for (const none of [[], "none"]) expect(await inheritedOf(none)).to.deep.equal([]);
    const { data } = VariableListBody.parse((await stage.raw("listVariables", { id: ID })).json);
    const [, read] = await inheritedOf([null, ...data, "REGION"]);
    expect(read).to.deep.include({ name: "OWN", value: "1", hidden: false, services: [] });
  });
});
