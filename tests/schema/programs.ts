import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./package-schema";

const SNIPPETS = join(root, "examples", "snippets");

/** The folders of the programs in examples/ that one language has: the quickstart, and a snippet for everything. */
export function programFolders(language: "go" | "python" | "yaml"): readonly string[] {
  const snippets = readdirSync(SNIPPETS, { withFileTypes: true }).filter((one) => one.isDirectory());
  return [join(root, "examples", `quickstart-${language}`), ...snippets.map(({ name }) => join(SNIPPETS, name))];
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

/** Copies what is there of some files of a folder. */
export function copyFiles(from: string, to: string, files: readonly string[]): void {
  for (const file of files) if (existsSync(join(from, file))) cpSync(join(from, file), join(to, file));
}
