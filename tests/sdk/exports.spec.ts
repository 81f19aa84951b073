import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import * as previewenv from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { entries } from "../../tools/generate/nodejs/text";
import { readSchema } from "../schema/package-schema";

describe("the two entries of the package", () => {
  it("exports what pulumi-previewenv exports, types too", () => {
    const types = (file: string): readonly string[] => {
      const text = readFileSync(join(root, "sdk", "nodejs", file), "utf8");
      const names = [...text.matchAll(/export type \{([^}]*)\}/gu)].map(([, list = ""]) => list);
      return names
        .join()
        .split(",")
        .map((name) => name.trim());
    };

    expect(Object.keys(native).toSorted()).to.deep.equal(Object.keys(previewenv).toSorted());
    expect(types("native.ts").toSorted()).to.deep.equal(types("index.ts").toSorted());
  });

  it("have existing(), the text that programs in other languages write", () => {
    for (const { existing } of [previewenv, native]) expect(existing()).to.equal("previewenv:existing:v1");
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
});

const { dynamic: MAIN, native: NATIVE } = entries;
const root = join(__dirname, "..", "..");

describe("the editor", () => {
  const texts = globSync("sdk/nodejs/generated/**/*.ts", { cwd: root }).map(
    (file) => [file.includes("native") ? NATIVE : MAIN, readFileSync(join(root, file), "utf8")] as const,
  );
  /** What an entry says of a name: the doc comment right before its declaration. */
  const shown = (entry: string, name: string): string => {
    const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\nexport (?:class|function|const) ${name}\\b`, "u");
    return texts.flatMap(([own, text]) => (own === entry ? (comment.exec(text)?.[1] ?? []) : [])).join("");
  };

  for (const entry of [MAIN, NATIVE])
    it(`shows an example of every class and function of ${entry}, and links to the reference`, () => {
      const names = Object.entries(previewenv).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
      expect(names).to.include.members(["EnvVar", "getEnvVarsOutput", "Provider", "PreviewEnvironments", "existing"]);
      for (const name of names)
        expect(shown(entry, name), name).to.contain(`from "${entry}"`).and.contain("docs/reference.md#");
    });

  it("shows how to import a resource of the plugin", () => {
    expect(shown(NATIVE, "EnvVarSet")).to.contain("pulumi import previewenv:index:EnvVarSet <name> <id>");
  });
});
