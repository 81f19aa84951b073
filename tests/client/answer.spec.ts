import { expect } from "chai";
import * as z from "zod";
import { itemOf, parseAnswer } from "../../provider/src/client/answer";
import { ResponseShapeError } from "../../provider/src/client";
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
    expect(parseAnswer(text, shape)).to.deep.equal({ value: { id: "1", name: "inner" } });
    expect(parseAnswer('{"id":"1","attributes":{},"name":"outer"}', shape)).to.deep.equal({
      value: { id: "1", name: "outer" },
    });
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
