import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installSdk, virtualenv } from "../../support/python";
import { FIXTURES, type Language, plugins } from "./languages";

/** For a suite: programs in Python, with the SDK installed once. Gives the language of fixtures/<program>/__main__.py. */
export function usePython(): (program: string) => Language {
  let folder: string;
  let packages: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-python-"));
    packages = installSdk(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  return (program) => ({
    prepare: (project) => cpSync(join(FIXTURES, program), project, { recursive: true }),
    settings: () => ({
      runtime: { name: "python", options: { toolchain: "pip", virtualenv: virtualenv() } },
      ...plugins(),
    }),
    env: { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: "1" },
  });
}
