import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type AnySchemaObject } from "ajv";
import { expect } from "chai";
import { parse } from "yaml";
import * as z from "zod";

const EXAMPLES = join(__dirname, "..", "..", "examples", "scale");
const SCHEMAS = join(__dirname, "schemas");

const Document = z.looseObject({});

/**
 * A published schema that also refuses properties which it does not name, as Kubernetes does with `--validate=strict`. Pulumi Cloud would
 * drop them without a word.
 */
function readSchema(file: string): AnySchemaObject {
  return JSON.parse(readFileSync(join(SCHEMAS, file), "utf8"), (_key, value: unknown) => {
    const { success, data = {} } = Document.safeParse(value);
    const isOpen = "additionalProperties" in data || data["x-kubernetes-preserve-unknown-fields"] === true;
    return success && "properties" in data && !isOpen ? { ...data, additionalProperties: false } : value;
  });
}

function readExample(file: string): z.output<typeof Document> {
  // JSON is YAML.
  return Document.parse(parse(readFileSync(join(EXAMPLES, file), "utf8")));
}

/** What finds out what is wrong with a document: nothing when it is valid. */
function checker(file: string, root = ""): (document: unknown) => readonly string[] {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(readSchema(file), "published");
  const validate = ajv.compile({ $ref: `published#${root}` });
  return (document) => {
    validate(document);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

describe("examples/scale and the published schemas", () => {
  const stack = checker("stack.json");
  const cloud = (name: string): ReturnType<typeof checker> =>
    checker("pulumi-cloud.json", `/components/schemas/${name}`);

  for (const [file, check] of [
    ["stack.yaml", stack],
    ["deployment-settings.json", cloud("DeploymentSettingsRequest")],
    ["drift-schedule.json", cloud("CreateScheduledDriftDeploymentRequest")],
  ] as const)
    it(`${file} is valid`, () => expect(check(readExample(file))).to.deep.equal([]));
});
