import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { type Answer, errorBody, type Fixture, ROOT, sendExactly, start } from "../caller";

const ID = SEED.shopMain;
const PATH = `/${ID}/env-vars`;
const UNKNOWN = "99999999-9999-4999-8999-999999999999";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function put(fixture: Fixture, ...env_vars: readonly unknown[]): Promise<Answer> {
  return fixture.call("PUT", PATH, { body: { env_vars } });
}

function namesOf({ text }: Answer): string[] {
  return Array.from(text.matchAll(/"attributes":\{"name":"([^"]*)"/g), (match) => match[1] ?? "");
}

describe("sandbox: PUT env-vars", () => {
  it("creates a variable with the documented defaults and answers it", async () => {
    await using fixture = await start();

    const answer = await put(fixture, { name: "KEY", value: "a-long-secret" });

    expect(answer.status).to.equal(200);
    expect(answer.json).to.have.nested.property("data[0].id").that.matches(UUID);
    expect(answer.json).to.have.nested.property("data[0].type", "env-var");
    expect(answer.json).to.have.deep.nested.property("data[0].attributes", {
      name: "KEY",
      value: "a-*********et",
      hidden: true,
      services: [],
      created_at: "2026-01-01T00:00:00",
      updated_at: "2026-01-01T00:00:00",
    });
    expect(answer.json).to.have.all.keys("data");
  });

  it("updates by name: same id, same created_at, new updated_at", async () => {
    await using fixture = await start();
    await put(fixture, { name: "KEY", value: "one" });
    const before = fixture.sandbox.world.variable(ID, "KEY");
    fixture.clock.advance(61_000);

    await put(fixture, { name: "KEY", value: "two", hidden: false, services: ["web"] });

    expect(fixture.sandbox.world.variable(ID, "KEY")).to.deep.equal({
      id: before?.id,
      name: "KEY",
      value: "two",
      hidden: false,
      services: ["web"],
      createdAt: "2026-01-01T00:00:00",
      updatedAt: "2026-01-01T00:01:01",
    });
  });

  it("uses the last value of a name that occurs twice", async () => {
    await using fixture = await start();

    const answer = await put(fixture, { name: "A", value: "1" }, { name: "B", value: "2" }, { name: "A", value: "3" });

    expect(namesOf(answer)).to.deep.equal(["A", "B"]);
    expect(fixture.sandbox.world.variable(ID, "A")?.value).to.equal("3");
  });

  it("answers 207 with what was stored and what was not", async () => {
    await using fixture = await start();

    const answer = await put(
      fixture,
      { name: "GOOD", value: "" },
      { name: "BAD" },
      { value: "x" },
      { name: "N", value: 7 },
    );

    expect(answer.status).to.equal(207);
    expect(namesOf(answer)).to.deep.equal(["GOOD"]);
    expect(answer.json).to.have.deep.property("errors", [
      { name: "BAD", error: "name and value are required" },
      { name: null, error: "name and value are required" },
      { name: "N", error: "value must be a string" },
    ]);
    expect(fixture.sandbox.world.variable(ID, "GOOD")?.value).to.equal("");
    expect(fixture.sandbox.world.variable(ID, "N")).to.equal(undefined);
  });

  it("refuses wrong hidden and services for the item", async () => {
    await using fixture = await start();

    const answer = await put(
      fixture,
      { name: "H", value: "1", hidden: "yes" },
      { name: "S", value: "1", services: [7] },
    );

    expect(answer.json).to.deep.equal({
      data: [],
      errors: [
        { name: "H", error: "hidden must be true or false" },
        { name: "S", error: "services must be an array of strings" },
      ],
    });
  });

  it("takes services null for every service", async () => {
    await using fixture = await start();

    await put(fixture, { name: "A", value: "1", services: null });

    expect(fixture.sandbox.world.variable(ID, "A")?.services).to.deep.equal([]);
  });

  it("refuses an empty value when that is chosen", async () => {
    await using fixture = await start({ choices: { emptyValue: "refused" } });

    expect((await put(fixture, { name: "E", value: "" })).status).to.equal(207);
  });

  for (const body of [{}, [], { env_vars: null }, { env_vars: "A" }, { env_vars: {} }, { env_vars: ["A"] }, 7, null]) {
    it(`answers 400 to ${JSON.stringify(body)}`, async () => {
      await using fixture = await start();

      expect((await fixture.call("PUT", PATH, { body })).status).to.equal(400);
    });
  }

  it("answers all variables, or the sent ones in another order, when that is chosen", async () => {
    await using all = await start({ choices: { upsertAnswer: "all" } });
    await using shuffled = await start({ choices: { upsertAnswer: "shuffled" } });
    const items = [
      { name: "A", value: "1" },
      { name: "B", value: "2" },
    ];

    expect(namesOf(await put(all, ...items))).to.deep.equal(["NODE_ENV", "A", "B"]);
    expect(namesOf(await put(shuffled, ...items))).to.deep.equal(["B", "A"]);
  });

  it("answers 413 for more variables than the chosen maximum, and stores none", async () => {
    await using fixture = await start({ choices: { maxBatch: 1 } });

    expect((await put(fixture, { name: "A", value: "1" }, { name: "B", value: "2" })).status).to.equal(413);
    expect(fixture.sandbox.world.variable(ID, "A")).to.equal(undefined);
    expect((await put(fixture, { name: "A", value: "1" })).status).to.equal(200);
  });

  for (const [moves, expected] of [
    [true, "2026-01-01T00:00:05"],
    [false, "2026-01-01T00:00:00"],
  ] as const) {
    it(`${moves ? "moves" : "does not move"} updated_at on an equal write when that is chosen`, async () => {
      await using fixture = await start({ choices: { updatedAtOnEqualWrite: moves } });
      await put(fixture, { name: "A", value: "1" });
      fixture.clock.advance(5000);

      await put(fixture, { name: "A", value: "1" });

      expect(fixture.sandbox.world.variable(ID, "A")?.updatedAt).to.equal(expected);
    });
  }

  it("keeps names such as __proto__ and constructor as data", async () => {
    await using fixture = await start();

    await put(fixture, { name: "__proto__", value: "1", hidden: false }, { name: "constructor", value: "2" });

    expect(namesOf(await fixture.call("GET", PATH))).to.deep.equal(["NODE_ENV", "__proto__", "constructor"]);
  });
});

describe("sandbox: GET env-vars", () => {
  it("masks hidden values, shows visible ones, and lists inherited variables apart", async () => {
    await using fixture = await start();

    const answer = await fixture.call("GET", `/${SEED.shopPullRequest}/env-vars`);

    expect(answer.status).to.equal(200);
    expect(namesOf(answer)).to.include.members(["NODE_ENV", "SESSION_KEY"]);
    expect(answer.text).to.include('"value":"production"').and.not.include("not-a-real-session-key");
    expect(answer.json).to.have.nested.property("included.inherited.length", 2);
    expect(answer.json).to.have.nested.property("included.inherited[0].attributes.name", "REGION");
  });

  it("keeps a value of any characters", async () => {
    await using fixture = await start();
    const value = 'line\nline "two" \u{1F600} {"a":[1]} **** \u2028';

    await put(fixture, { name: "ODD", value, hidden: false });

    expect((await fixture.call("GET", PATH)).json).to.have.nested.property("data[1].attributes.value", value);
  });
});

describe("sandbox: DELETE env-vars/<name>", () => {
  for (const name of ["PLAIN", "a/b", "..", "100%", "ü ß", "a?b#c", "%2F"]) {
    it(`deletes ${JSON.stringify(name)}`, async () => {
      await using fixture = await start();
      await put(fixture, { name, value: "1" });
      const { sandbox } = fixture;
      const segment = name === ".." ? name : encodeURIComponent(name);

      const path = `${ROOT}${PATH}/${segment}`;
      const headers = { "x-api-token": sandbox.token };

      expect(await sendExactly(sandbox.url, { method: "DELETE", path, headers })).to.equal(204);

      expect(sandbox.world.variable(ID, name)).to.equal(undefined);
    });
  }

  it("answers 404 for an unknown variable and for an unknown environment", async () => {
    await using fixture = await start();

    expect((await fixture.call("DELETE", `${PATH}/NONE`)).json).to.deep.equal(errorBody(404, "Env var not found!"));
    expect((await fixture.call("DELETE", `/${UNKNOWN}/env-vars/A`)).status).to.equal(404);
  });
});

describe("sandbox: env-vars of an environment that is not there", () => {
  for (const [name, id] of [
    ["unknown", UNKNOWN],
    ["deleted", SEED.shopDeleted],
  ] as const) {
    it(`answers 404 for an ${name} environment`, async () => {
      await using fixture = await start();
      const body = { env_vars: [] };

      expect((await fixture.call("GET", `/${id}/env-vars`)).json).to.deep.equal(
        errorBody(404, "Application not found!"),
      );
      expect((await fixture.call("PUT", `/${id}/env-vars`, { body })).status).to.equal(404);
    });
  }

  it("answers 200 for a deleted environment when that is chosen", async () => {
    await using fixture = await start({ choices: { deletedEnvironmentVariables: "200" } });

    expect((await fixture.call("GET", `/${SEED.shopDeleted}/env-vars`)).status).to.equal(200);
  });
});
