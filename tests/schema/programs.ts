import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LanguageName, snippetFolders } from "../../tools/generate/snippets";
import { root } from "./package-schema";

/** The folders of the programs in examples/ that one language has: the quickstart, where there is one, and the snippets. */
export function programFolders(language: LanguageName): readonly string[] {
  const quickstart = join("examples", `quickstart-${language}`);
  return [quickstart, ...snippetFolders(language)].map((folder) => join(root, folder)).filter((one) => existsSync(one));
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
