import { expect } from "chai";
import * as z from "zod";
import { itemOf } from "../../provider/src/client/answer";
import type { PreviewenvClient } from "../../provider/src/client";
import {
  ConnectionError,
  NotFoundError,
  ResponseShapeError,
  UndocumentedNotFoundError,
} from "../../provider/src/client/errors";
import { clientOf, environmentItem, failure, ID } from "./support/samples";
import { startScript } from "./support/scripted-server";

const MIB = 1024 * 1024;
const MAX_TEXT = 2_000;
const many = (item: string, bytes: number): string =>
  Array.from({ length: bytes / (item.length + 1) }, () => item).join();

describe("client/answer", () => {
  it("finds fields beside `attributes` and within them, and looks at no others", () => {
    const shape = itemOf({ id: z.string(), name: z.string(), __proto__: z.unknown() });
    const text = '{"id":"1","name":"outer","attributes":{"id":"2","name":"inner","__proto__":{"name":"other"}}}';
    expect(shape.parse(JSON.parse(text))).to.deep.equal({ id: "1", name: "inner" });
    expect(shape.parse({ id: "1", attributes: {}, name: "outer" })).to.deep.equal({ id: "1", name: "outer" });
  });
});

describe("client: answers of the wrong shape", () => {
  const wrong: Readonly<Record<string, string>> = {
    "a thousand items that are wrong": `{"data":[${many('{"attributes":{"name":1}}', 26_000)}]}`,
    "a list instead of an object": "[1]",
    "a key of 2 MiB": `{"${"k".repeat(2 * MIB)}":1}`,
    "long texts where there should be none": `{"data":[${many(`{"attributes":{"name":{"x":"${"x".repeat(MIB / 4)}"}}}`, 2 * MIB)}]}`,
  };

  for (const [what, text] of Object.entries(wrong))
    it(`${what}: an error of at most 2,000 characters, from each read and write`, async () => {
      await using server = await startScript([{ text }]);
      await using client = clientOf(server);
      const variable = { name: "A", value: "1", hidden: false, services: [] };
      for (const call of [
        () => client.environments.get(ID),
        () => client.environments.list().next(),
        () => client.builds.list(ID).next(),
        () => client.envVars.list(ID),
        () => client.envVars.upsert(ID, [variable]),
      ]) {
        const error = await failure(call());
        expect(error).to.be.instanceOf(ResponseShapeError);
        expect(error).to.have.property("message").with.length.at.most(MAX_TEXT);
      }
    });

  it("refuses an environment, and a build's id, that state could not hold", async () => {
    const name = "n".repeat(2 * MIB);
    const build = { id: "i".repeat(2_000), projects: [], successfully_built: true, queued_at: "2026-01-01T00:00:00" };
    await using server = await startScript([
      { json: environmentItem(ID, { name }) },
      { json: { data: { builds: [build] } } },
    ]);
    await using client = clientOf(server);
    expect(await failure(client.environments.get(ID)))
      .to.be.instanceOf(ResponseShapeError)
      .with.property("message")
      .that.includes("larger than 1 MiB");
    expect(await failure(client.builds.list(ID).next()))
      .to.be.instanceOf(ResponseShapeError)
      .with.property("message")
      .that.includes("data.builds[0].id");
  });
});

/** Every call that reads or writes. */
function callsOf({ environments, builds, envVars }: PreviewenvClient): readonly Promise<unknown>[] {
  return [
    environments.get(ID),
    environments.list().next(),
    environments.act("rebuild", ID),
    environments.changeBranches(ID, []),
    environments.loadSnapshot(ID, { sequenceNumber: 1 }),
    builds.list(ID).next(),
    envVars.list(ID),
    envVars.upsert(ID, []),
    envVars.delete(ID, "A"),
  ];
}

describe("client: a success that says an error", () => {
  it("is no success, of no call, and its text is told without what was sent", async () => {
    const text = '{"data": [], "errors": [{"status": 503, "title": "Overloaded, with secret-value-1"}]}';
    await using server = await startScript([{ status: 200, text }]);
    await using client = clientOf(server);
    client.remember(["secret-value-1"]);
    for (const error of await Promise.all(callsOf(client).map(failure)))
      expect(error)
        .to.be.instanceOf(ResponseShapeError)
        .with.property("message")
        .that.includes('it is 200, but has the body of an error: "Overloaded, with [secret]".');
  });

  for (const said of [
    '"errors": ["down"]',
    '"errors": [{"status": 503, "detail": "down"}]',
    '"errors": [{"title": null, "message": "down"}]',
    '"errors": "down"',
    '"error": "down"',
    '"error": {"message": "down"}',
    '"status": 503, "detail": "down"',
  ])
    it(`is no success in another shape, of a call that is no write of variables: ${said}`, async () => {
      await using server = await startScript([{ status: 200, text: `{"data": [], ${said}}` }]);
      await using client = clientOf(server);
      const { envVars, environments } = client;
      for (const call of [envVars.list(ID), envVars.delete(ID, "A"), environments.changeBranches(ID, [])])
        expect(await failure(call))
          .to.have.property("message")
          .that.includes('the body of an error: "down".');
    });

  it("is told by something: nothing that failed is no error", async () => {
    for (const said of [
      '"errors": []',
      '"errors": null',
      '"errors": {}',
      '"error": {}',
      '"error": null',
      '"error": ""',
      '"status": 200',
    ]) {
      await using server = await startScript([{ status: 200, text: `{"data": [], ${said}}` }]);
      await using client = clientOf(server);
      expect(await client.envVars.list(ID)).to.deep.include({ variables: [] });
    }
  });
});

/** Bodies of a 404, and whether the service says it so: "{ errors: [ { status: integer, title: string } ] }". */
const bodies: readonly (readonly [string, string, boolean])[] = [
  ["the documented one", '{"errors": [{"status": 404, "title": "Application not found!"}]}', true],
  ["a title alone", '{"errors": [{"title": ""}]}', true],
  ["several errors", '{"errors": [{"title": "a"}, 7], "more": {}}', true],
  ["a web page", "<html><body><h1>404 Not Found</h1></body></html>", false],
  ["nothing", "", false],
  ["a text", "404 page not found", false],
  ["JSON of a gateway", '{"message": "no Route matched with those values"}', false],
  ["a JSON text", '"errors"', false],
  ["a list", '[{"errors": [{"title": "a"}]}]', false],
  ["no errors in it", '{"errors": []}', false],
  ["errors by name", '{"errors": {"0": {"title": "a"}}}', false],
  ["errors that are texts", '{"errors": ["title"]}', false],
  ["a title that is none", '{"errors": [{"title": null}]}', false],
  ["the title of the second", '{"errors": [{"status": 404}, {"title": "a"}]}', false],
  ["JSON that breaks off", '{"errors": [{"title": "a"}]', false],
];

describe("client: 404", () => {
  for (const [what, text, isWord] of bodies)
    it(`${what}: ${isWord ? "the documented answer" : "maybe of a gateway"}`, async () => {
      await using server = await startScript([{ status: 404, text }]);
      await using client = clientOf(server);
      for (const error of await Promise.all(callsOf(client).map(failure)))
        expect(error).to.be.instanceOf(isWord ? NotFoundError : UndocumentedNotFoundError);
    });

  it("whose body does not arrive says nothing about what exists", async () => {
    await using server = await startScript([{ status: 404, drop: "midway" }]);
    await using client = clientOf(server, { maxRetries: 0 });
    expect(await failure(client.environments.get(ID))).to.be.instanceOf(ConnectionError);
  });
});
