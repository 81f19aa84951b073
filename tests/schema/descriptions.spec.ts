import { readFileSync } from "node:fs";
import { expect } from "chai";
import * as z from "zod";
import { schemaFile } from "./package-schema";

const Text = z.object({ description: z.string().optional() });
const Texts = z.record(z.string(), Text).default({});
const Bag = z.object({ properties: Texts }).prefault({});
const Type = Text.extend({ properties: Texts, enum: z.array(Text.extend({ value: z.string() })).default([]) });
const Schema = z.object({
  description: z.string().optional(),
  config: z.object({ variables: Texts }).prefault({}),
  provider: Text.extend({ properties: Texts, inputProperties: Texts }).prefault({}),
  resources: z.record(z.string(), Text.extend({ properties: Texts, inputProperties: Texts })).default({}),
  functions: z.record(z.string(), Text.extend({ inputs: Bag, outputs: Bag })).default({}),
  types: z.record(z.string(), Type).default({}),
});

/** The paths of everything in a schema that a reader looks up and that has no description. */
function undescribed(given: unknown): readonly string[] {
  const { description, config, provider, resources, functions, types } = Schema.parse(given);
  const each = <T extends z.output<typeof Text>>(
    all: Readonly<Record<string, T>>,
    bags: (one: T) => readonly z.output<typeof Texts>[],
  ): readonly string[] =>
    Object.entries(all).flatMap(([name, one]) => [
      ...missing({ [name]: one }),
      ...bags(one).flatMap((bag) => missing(bag).map((property) => `${name}.${property}`)),
    ]);
  return [
    ...missing({ package: { description }, provider, ...config.variables }),
    ...missing({ ...provider.properties, ...provider.inputProperties }),
    ...each(resources, (one) => [one.properties, one.inputProperties]),
    ...each(functions, ({ inputs, outputs }) => [inputs.properties, outputs.properties]),
    ...each(types, (one) => [one.properties, Object.fromEntries(one.enum.map((member) => [member.value, member]))]),
  ];
}

function missing(all: z.output<typeof Texts>): readonly string[] {
  return Object.entries(all).flatMap(([name, { description = "" }]) => (description.trim() === "" ? [name] : []));
}

describe("descriptions in provider/schema.json", () => {
  it("are there for every resource, function, property, setting, type and value of an enum", () => {
    expect(undescribed(JSON.parse(readFileSync(schemaFile, "utf8")))).to.deep.equal([]);
  });

  it("would be missed: of a resource, an output, an argument, a property of a type, a value of an enum", () => {
    const found = undescribed({
      description: "All.",
      provider: { description: "Settings." },
      resources: { One: { properties: { url: {} } } },
      functions: { getOne: { description: "Gets.", inputs: { properties: { id: {} } } } },
      types: { Two: { description: "Two.", properties: { id: { description: " " } }, enum: [{ value: "fail" }] } },
    });
    expect(found).to.have.members(["One", "One.url", "getOne.id", "Two.id", "Two.fail"]);
  });
});
