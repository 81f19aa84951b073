import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import { type LanguageName, languages } from "../../tools/generate/snippets";

export const root = join(__dirname, "..", "..");

export const schemaFile = join(root, "provider", "schema.json");

const Schema = z.looseObject({
  version: z.string(),
  types: z.record(
    z.string(),
    z.looseObject({ enum: z.array(z.object({ name: z.string(), value: z.string() })).optional() }),
  ),
  resources: z.record(z.string(), z.looseObject({ inputProperties: z.record(z.string(), z.unknown()) })),
  functions: z.record(z.string(), z.unknown()),
});
/** A package schema, as far as tests look at it. */
export type PackageSchema = z.output<typeof Schema>;

export function readSchema(): PackageSchema {
  return Schema.parse(JSON.parse(readFileSync(schemaFile, "utf8")));
}

/** The folders of the programs in examples/ that one language has: the quickstart, where there is one, and the snippets. */
export function programFolders(language: LanguageName): readonly string[] {
  const file = languages.find(({ name }) => name === language)?.file;
  const programs = globSync(
    `examples/{quickstart-${language},quickstart-${language}/src/main/java,snippets/*}/${file}`,
    { cwd: root },
  );
  return programs.map((program) => join(root, dirname(program)));
}

/** A folder for the tests of a suite, removed after it. */
export function temporaryFolder(): { readonly path: () => string } {
  let folder: string | undefined;
  before(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-programs-"))));
  after(() => folder !== undefined && rmSync(folder, { recursive: true, force: true }));
  return {
    path: () => {
      if (folder === undefined) throw new Error("the folder is there once the suite has begun");
      return folder;
    },
  };
}
