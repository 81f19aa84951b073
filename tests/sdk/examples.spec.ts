import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { resources } from "../../provider/src/resources";
import { fileName } from "../../tools/generate/properties";
import { entries } from "../../tools/generate/nodejs/text";
import { declarationsOf } from "../../tools/generate/reference/written";
import { typescriptSnippet } from "../../tools/generate/snippets";

const { dynamic: MAIN, native: NATIVE } = entries;
const root = join(__dirname, "..", "..");

/** From the folder of the runtime. */
const NATIVE_FILE = "../generated/native/written.ts";

/** What is written by hand, with its file and the entry that exports it. */
const written = [
  ["existing", "existing.ts", MAIN],
  ["variablesFromDotenv", "dotenv.ts", MAIN],
  ["Provider", "provider.ts", MAIN],
  ["Provider", NATIVE_FILE, NATIVE],
  ["PreviewEnvironment", "preview-environment.ts", MAIN],
  ["PreviewEnvironment", NATIVE_FILE, NATIVE],
  ["PreviewEnvironments", "preview-environments.ts", MAIN],
  ["PreviewEnvironments", NATIVE_FILE, NATIVE],
] as const;

describe("examples in the editor", () => {
  for (const [name, file, entry] of written)
    it(`of ${name} in ${file} is that of examples/snippets`, () => {
      const example = declarationsOf(file)(name).tags.get("example");
      expect(example).to.equal(`\`\`\`typescript\n${typescriptSnippet(name, entry)}\n\`\`\``);
    });

  it("are there for every resource and function of both hosts, and the plugin's say how to import", () => {
    const native = resources
      .map(({ type }) => readFileSync(join(root, "sdk/nodejs/generated/native", `${fileName(type)}.ts`), "utf8"))
      .join("");
    const single = readFileSync(join(root, "sdk", "nodejs", "generated", "env-var.ts"), "utf8");
    const functions = readFileSync(join(root, "sdk", "nodejs", "generated", "get-env-vars.ts"), "utf8");
    expect(native.split("@example")).to.have.lengthOf(native.split("export class").length);
    expect(native).to.contain("pulumi import previewenv:index:EnvVarSet <name> <id>").and.contain(`from "${NATIVE}"`);
    for (const text of [single, functions]) expect(text).to.contain("@example").and.contain(`from "${MAIN}"`);
  });
});
