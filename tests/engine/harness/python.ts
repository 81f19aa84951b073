import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIXTURES, type Language, plugins, ROOT, PYTHON_FOLDER_VARIABLE } from "./languages";

/** The virtual environment with everything that programs need, apart from the SDK. */
function virtualenv(): string {
  const folder = process.env[PYTHON_FOLDER_VARIABLE];
  if (!folder) throw new Error(`${PYTHON_FOLDER_VARIABLE} names no virtual environment`);
  return folder;
}

/** Runs the pip of the virtual environment. */
export function pip(...args: readonly string[]): void {
  const program = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  execFileSync(join(virtualenv(), ...program), ["-m", "pip", ...args], { stdio: "pipe" });
}

/** For a suite: programs in Python, with the SDK installed as users do. Gives the language of fixtures/<program>/__main__.py. */
export function usePython(): (program: string) => Language {
  let folder: string;
  const packages = (): string => join(folder, "packages");

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-python-"));
    const source = join(folder, "source");
    // The build writes beside the sources.
    cpSync(join(ROOT, "sdk", "python"), source, { recursive: true });
    const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation"];
    pip("install", ...options, "--target", packages(), source);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  return (program) => ({
    prepare: (project) => cpSync(join(FIXTURES, program), project, { recursive: true }),
    settings: () => ({
      runtime: { name: "python", options: { toolchain: "pip", virtualenv: virtualenv() } },
      ...plugins(),
    }),
    env: { PYTHONPATH: packages(), PYTHONDONTWRITEBYTECODE: "1" },
  });
}
