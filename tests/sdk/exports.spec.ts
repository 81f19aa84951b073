import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { resources } from "../../provider/src/resources";
import * as previewenv from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { fileName } from "../../tools/generate/properties";
import { entries } from "../../tools/generate/nodejs/text";
import { declarationOf } from "../../tools/generate/reference/written";
import { typescriptSnippet } from "../../tools/generate/snippets";
import { readSchema } from "../schema/package-schema";

describe("the two entries of the package", () => {
  it("exports what pulumi-previewenv exports, types too", () => {
    const types = (file: string): readonly string[] => {
      const text = readFileSync(join(root, "sdk", "nodejs", file), "utf8");
      const whole = [...text.matchAll(/export type \{(?<names>[^}]*)\}/gu)].map(
        ({ groups }) => groups?.["names"] ?? "",
      );
      const single = [...text.matchAll(/\btype (?<name>\w+)/gu)].map(({ groups }) => groups?.["name"] ?? "");
      return [...whole.join().split(","), ...single].map((name) => name.trim()).filter((name) => /^[A-Z]/u.test(name));
    };

    expect(Object.keys(native).toSorted()).to.deep.equal(Object.keys(previewenv).toSorted());
    expect(types("native.ts").toSorted()).to.deep.equal(types("index.ts").toSorted());
  });

  it("have existing(), the text that programs in other languages write", () => {
    expect([previewenv.existing(), native.existing()]).to.deep.equal([
      "previewenv:existing:v1",
      "previewenv:existing:v1",
    ]);
  });
});

const PREFIX = "previewenv:index:";

// `pulumi import` writes TypeScript such as `state: previewenv.State.Running`, with the names of the package schema.
describe("enums of the TypeScript SDK", () => {
  const enums = Object.entries(readSchema().types).flatMap(([token, { enum: members }]) =>
    members === undefined ? [] : [[token.slice(PREFIX.length), members] as const],
  );

  for (const [name, members] of enums)
    it(`${name} has the members that the package schema names, whichever host is used`, () => {
      const values = Object.fromEntries(members.map((member) => [member.name, member.value]));
      expect(new Map(Object.entries(previewenv)).get(name)).to.deep.equal(values);
      expect(new Map(Object.entries(native)).get(name)).to.deep.equal(values);
    });

  it("are values that arguments take", () => {
    const args: previewenv.EnvironmentStateArgs = { environmentId: "", state: native.State.Running };
    expect(args.state).to.equal("running");
  });
});

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
      const example = declarationOf(file, name).tags.get("example");
      expect(example).to.equal(`\`\`\`typescript\n${typescriptSnippet(name, entry)}\n\`\`\``);
    });

  it("are there for every resource and function of both hosts, and the plugin's say how to import", () => {
    const classes = resources
      .map(({ type }) => readFileSync(join(root, "sdk/nodejs/generated/native", `${fileName(type)}.ts`), "utf8"))
      .join("");
    const single = readFileSync(join(root, "sdk", "nodejs", "generated", "env-var.ts"), "utf8");
    const functions = readFileSync(join(root, "sdk", "nodejs", "generated", "get-env-vars.ts"), "utf8");
    expect(classes.split("@example")).to.have.lengthOf(classes.split("export class").length);
    expect(classes).to.contain("pulumi import previewenv:index:EnvVarSet <name> <id>").and.contain(`from "${NATIVE}"`);
    for (const text of [single, functions]) expect(text).to.contain("@example").and.contain(`from "${MAIN}"`);
  });
});
