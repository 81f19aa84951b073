import { expect } from "chai";
import type { EnvironmentSeed } from "../../provider/src/sandbox";
import { snapshotOf } from "./support/service-domain";
import { type RawAnswer, type ServiceStage, startService } from "./support/service-stage";
import { envVarFields, MISSING_FIELD, upsertRules } from "./support/specification";
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
const rules: Readonly<Record<keyof typeof upsertRules, (stage: ServiceStage) => Promise<void>>> = {
  1: async (stage) => {
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
  2: async (stage) => {
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
  3: async (stage) => {
    const answer = await put(stage, plain("A", "1"), plain("B", "2"));
    expect(answer.status).to.equal(200);
    expect(UpsertBody.parse(answer.json).data).to.have.length(2);
    const { stored, failed } = await stage.client.envVars.upsert(ID, [plain("A", "1"), plain("B", "2")]);
    expect([stored.length, failed]).to.deep.equal([2, []]);
  },
  4: async (stage) => {
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
  5: async (stage) => {
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
  it("every rule has a case", () => {
    expect(Object.keys(rules)).to.deep.equal(Object.keys(upsertRules));
  });

  for (const [number, rule] of Object.entries(rules)) {
    it(`rule ${number}: ${Object.entries(upsertRules).find(([key]) => key === number)?.[1] ?? ""}`, async () => {
      await using stage = await start();
      await rule(stage);
    });
  }
});

/** Each field of an item, when it is left out. */
const fields: Readonly<Record<keyof typeof envVarFields, (stage: ServiceStage) => Promise<void>>> = {
  name: (stage) => expectRequired(stage, { value: "1" }, null),
  value: (stage) => expectRequired(stage, { name: "A" }, "A"),
  hidden: async (stage) => {
    const [item] = UpsertBody.parse((await put(stage, { name: "A", value: "0123456789", services: [] })).json).data;
    expect(item?.attributes).to.include({ hidden: envVarFields.hidden.default, value: "01******89" });
    // The client leaves nothing to this default: it sends what it was told.
    const { stored } = await stage.client.envVars.upsert(ID, [plain("A", "0123456789")]);
    expect(stored[0]).to.include({ hidden: false, value: "0123456789" });
    const [secret] = (await stage.client.envVars.upsert(ID, [{ ...plain("A", "0123456789"), hidden: true }])).stored;
    expect(secret).to.include({ hidden: true, value: "01******89" });
  },
  services: async (stage) => {
    const item = { name: "A", value: "1", hidden: false };
    const scoped = { ...item, services: ["web", "worker"] };
    for (const everywhere of [item, { ...item, services: envVarFields.services.default }]) {
      await put(stage, scoped);
      const [answered] = UpsertBody.parse((await put(stage, everywhere)).json).data;
      expect(answered?.attributes.services).to.deep.equal(envVarFields.services.answered);
    }
    const { stored } = await stage.client.envVars.upsert(ID, [scoped]);
    expect(stored[0]?.services).to.deep.equal(["web", "worker"]);
    expect(stage.world.variable(ID, "A")?.services).to.deep.equal(["web", "worker"]);
    const unscoped = await stage.client.envVars.upsert(ID, [{ ...item, services: [] }]);
    expect(unscoped.stored[0]?.services).to.deep.equal(envVarFields.services.answered);
    expect(stage.world.variable(ID, "A")?.services).to.deep.equal([]);
  },
};

async function expectRequired(stage: ServiceStage, item: object, name: string | null): Promise<void> {
  const answer = await put(stage, item);
  expect(answer.status).to.equal(207);
  const { data, errors } = PartialUpsertBody.parse(answer.json);
  expect([data, errors.map((error) => error.name)]).to.deep.equal([[], [name]]);
  expect(errors[0]?.error).to.match(MISSING_FIELD);
  expect(stage.world.variables(ID)).to.deep.equal([]);
}

describe("service: fields of a variable that is written", () => {
  it("every field has a case", () => {
    expect(Object.keys(fields)).to.deep.equal(Object.keys(envVarFields));
  });

  for (const [name, check] of Object.entries(fields)) {
    it(`${name}, when it is left out`, async () => {
      await using stage = await start();
      await check(stage);
    });
  }
});

describe("service: variables that are read", () => {
  const value = "abcdefghijklmnopqrstuvwxyz";

  it("masks a hidden value in its middle, in the list and in the answer to a write", async () => {
    await using stage = await start();
    const written = await put(stage, { name: "A", value, hidden: true });
    const listed = await stage.raw("listVariables", { id: ID });
    for (const data of [UpsertBody.parse(written.json).data, VariableListBody.parse(listed.json).data]) {
      expect(data[0]?.attributes.value).to.match(/^[a-y]+\*+[b-z]+$/u);
    }
    expect(written.text + listed.text).not.to.include(value);
    const { variables } = await stage.client.envVars.list(ID);
    expect(variables[0]?.value).to.equal(VariableListBody.parse(listed.json).data[0]?.attributes.value);
    expect(stage.world.variable(ID, "A")).to.include({ value });
  });

  it("gives other values back in full, whatever they are", async () => {
    await using stage = await start();
    const values = ["", " ", "*".repeat(10), "a\nb", "ü€😀", '"{}"', "0", "null", "x".repeat(5000)];
    const written = values.map((text, index) => plain(`V${index}`, text));
    const { stored } = await stage.client.envVars.upsert(ID, written);
    const { variables } = await stage.client.envVars.list(ID);
    const { data } = VariableListBody.parse((await stage.raw("listVariables", { id: ID })).json);
    expect(stored.map((variable) => variable.value)).to.deep.equal(values);
    expect(variables.map((variable) => variable.value)).to.deep.equal(values);
    expect(data.map(({ attributes }) => attributes.value)).to.deep.equal(values);
  });

  for (const name of ["A/B", "A B", "Ä", "%2F", "A?B#C", "A.B"]) {
    it(`deletes a variable by its name: ${name}`, async () => {
      await using stage = await start({ variables: [plain(name, "1"), plain("OTHER", "1")] });
      expect((await stage.raw("deleteVariable", { id: ID, variable: name })).status).to.equal(204);
      stage.world.setVariable(ID, plain(name, "1"));
      await stage.client.envVars.delete(ID, name);
      expect(stage.world.variables(ID).map((variable) => variable.name)).to.deep.equal(["OTHER"]);
    });
  }

  it("carries included.inherited, an array, apart from the environment's own", async () => {
    const inherited = [plain("REGION", "eu"), { name: "LICENSE", value }];
    await using empty = await start();
    const without = VariableListBody.parse((await empty.raw("listVariables", { id: ID })).json);
    expect(without).to.deep.equal({ data: [], included: { inherited: [] } });
    expect(await empty.client.envVars.list(ID)).to.deep.equal({ variables: [], inherited: [] });
    await using stage = await start({ variables: [plain("OWN", "1")], inherited });
    const { data, included } = VariableListBody.parse((await stage.raw("listVariables", { id: ID })).json);
    expect([data.length, included.inherited.length]).to.deep.equal([1, 2]);
    const read = await stage.client.envVars.list(ID);
    expect(read.variables.map(({ name }) => name)).to.deep.equal(["OWN"]);
    expect(read.inherited.map(({ name }) => name)).to.deep.equal(["REGION", "LICENSE"]);
  });

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
