import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020";
import { expect } from "chai";
import { findProgram } from "../../tools/generate/sdks/programs";
import { schemaFile } from "./package-schema";

const metaschema = JSON.parse(readFileSync(join(__dirname, "metaschema", "pulumi.json"), "utf8"));

describe("provider/schema.json and Pulumi's own rules", () => {
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(metaschema);
  const schema = (): Record<string, unknown> => JSON.parse(readFileSync(schemaFile, "utf8"));

  it("is valid against Pulumi's metaschema", () => {
    validate(schema());
    expect(validate.errors ?? []).to.deep.equal([]);
  });

  const pulumi = findProgram("pulumi");
  const title = "passes `pulumi schema check`, which also follows every reference";
  if (pulumi === undefined) it.skip(`${title} (there is no pulumi on PATH)`);
  else
    it(title, () => {
      // Exit code 1, and so an error here, for anything wrong.
      const said = execFileSync(pulumi, ["schema", "check", schemaFile], { encoding: "utf8", stdio: "pipe" });
      expect(said).not.to.match(/error|warning/iu);
    });
});
