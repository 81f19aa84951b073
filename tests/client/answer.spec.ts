import { expect } from "chai";
import * as z from "zod";
import { itemOf, listOf, parseAnswer } from "../../provider/src/client/answer";
import { isDocumentedError, readTitles } from "../../provider/src/client/error-body";
import { ResponseShapeError } from "../../provider/src/client";
import { clientOf, environmentItem, envVarItem, failure, ID } from "./support/samples";
import { startScript } from "./support/scripted-server";

const MIB = 1024 * 1024;
const MAX_TEXT = 2_000;
const many = (item: string, bytes: number): string =>
  Array.from({ length: bytes / (item.length + 1) }, () => item).join();

/** An item that counts how often it is looked at. */
function counting() {
  const seen = { times: 0 };
  const item = z.unknown().transform((value, context) => {
    seen.times += 1;
    if (typeof value === "string") return value;
    context.addIssue("no text");
    return z.NEVER;
  });
  return { item, seen };
}

describe("client/answer", () => {
  it("looks at no item after the first one that is wrong", () => {
    const { item, seen } = counting();
    const parsed = parseAnswer(`[${many("1", 2 * MIB)}]`, listOf(item));
    expect(parsed).to.have.property("problem").that.includes("at [0]").and.does.not.include("[1]");
    expect(seen.times).to.equal(1);
  });

  it("stops within an item too", () => {
    const inner = counting();
    const shape = z.object({ data: listOf(z.object({ names: listOf(inner.item) })) });
    const item = `{"names":[${many("1", MIB)}]}`;
    expect(parseAnswer(`{"data":[${item},${item}]}`, shape))
      .to.have.property("problem")
      .that.includes("at data[0].names[0]");
    expect(inner.seen.times).to.equal(1);
  });

  it("names every problem of the first wrong item", () => {
    const shape = listOf(z.string());
    expect(parseAnswer('[{"a":"","b":""},{"a":1}]', listOf(z.object({ a: z.string(), b: z.string() }))))
      .to.have.property("problem")
      .that.includes("[1].a")
      .and.includes("[1].b");
    expect(parseAnswer('["a","b"]', shape)).to.deep.equal({ value: ["a", "b"] });
    expect(parseAnswer('{"0":"a"}', shape)).to.have.property("problem").that.includes("expected array");
  });

  it("finds fields beside `attributes` and within them, and looks at no others", () => {
    const shape = itemOf({ id: z.string(), name: z.string(), __proto__: z.unknown() });
    const text = '{"id":"1","name":"outer","attributes":{"id":"2","name":"inner","__proto__":{"name":"other"}}}';
    expect(parseAnswer(text, shape)).to.deep.equal({ value: { id: "1", name: "inner" } });
    expect(parseAnswer('{"id":"1","attributes":{},"name":"outer"}', shape)).to.deep.equal({
      value: { id: "1", name: "outer" },
    });
  });

  it("looks at no more titles of an error than it shows", () => {
    expect(readTitles(`{"errors":[${many('"no"', MIB)}]}`)).to.have.length(5);
    expect(readTitles(`{"errors":[${many("1", MIB)}]}`)).to.deep.equal([]);
    expect(isDocumentedError(`{"errors":[{"title":"gone"},${many("1", MIB)}]}`)).to.equal(true);
  });
});

describe("client: answers of the wrong shape", () => {
  const wrong: Readonly<Record<string, string>> = {
    "a thousand items that are wrong": `{"data":[${many('{"attributes":{"name":1}}', 26_000)}]}`,
    "a million numbers": `{"data":[${many("1", 2 * MIB)}]}`,
    "objects without anything": `{"data":[${many("{}", 2 * MIB)}]}`,
    "a list instead of an object": `[${many("1", 2 * MIB)}]`,
    "a key of 2 MiB": `{"${"k".repeat(2 * MIB)}":1}`,
    "very many keys": `{${Array.from({ length: 100_000 }, (_, index) => `"${index}":1`).join()}}`,
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

  it("reads ten thousand variables, and of very many inherited ones that are wrong no more than the first", async () => {
    const data = Array.from({ length: 10_000 }, (_, index) => envVarItem(`NAME_${index}`));
    const inherited = [envVarItem("B"), { services: Array.from({ length: 100_000 }, () => 1) }];
    const junk = Array.from({ length: 100_000 }, () => 1);
    await using server = await startScript([{ json: { data, included: { inherited: [...inherited, ...junk] } } }]);
    await using client = clientOf(server);
    const list = await client.envVars.list(ID);
    expect(list.variables).to.have.length(10_000);
    expect(list.inherited).to.have.length(20_000);
    expect(list.inherited[0]).to.include({ name: "B" });
  });
});
