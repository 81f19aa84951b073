import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./packed";

/** With it, Go finds what the set-up has compiled for Pulumi's language hosts. */
export function goEnvironment(): NodeJS.ProcessEnv {
  const names = ["GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY"];
  try {
    const values = execFileSync("go", ["env", ...names], { encoding: "utf8", stdio: "pipe" }).split("\n");
    const folders = names.map((name, index) => [name, values[index]]);
    return { ...Object.fromEntries(folders), GOFLAGS: "-buildvcs=false -trimpath" };
  } catch {
    return {};
  }
}

/** The set-up names here a virtual environment with Pulumi's package, and with what builds packages. */
export const PYTHON_FOLDER_VARIABLE = "PREVIEWENV_PYTHON_VENV";

const LIMIT_MS = 900_000;

/** That virtual environment. @throws when the set-up has none */
export function virtualenv(): string {
  const folder = process.env[PYTHON_FOLDER_VARIABLE];
  if (!folder) throw new Error(`${PYTHON_FOLDER_VARIABLE} names no virtual environment`);
  return folder;
}

export function pythonOf(venv: string): string {
  return join(venv, ...(process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"]));
}

/** Runs the pip of a virtual environment, which asks no index. */
function pip(venv: string, command: "install" | "wheel", ...args: readonly string[]): void {
  const options = ["--quiet", "--disable-pip-version-check", "--no-index", ...args];
  execFileSync(pythonOf(venv), ["-m", "pip", command, ...options], { stdio: "pipe", timeout: LIMIT_MS });
}

/** Installs the SDK of the checkout as users do, into a folder of its own below an empty one. Gives it, for PYTHONPATH. */
export function installSdk(folder: string): string {
  const installed = join(folder, "installed");
  pip(virtualenv(), "install", ...building(join(ROOT, "sdk", "python"), folder), "--target", installed);
  return installed;
}

/** Builds the wheel of an SDK, into a folder of its own below an empty one. Gives that folder. */
export function buildWheel(sdk: string, folder: string): string {
  const wheels = join(folder, "wheels");
  pip(virtualenv(), "wheel", ...building(sdk, folder), "--wheel-dir", wheels);
  return wheels;
}

/** Of a copy: the build writes beside the sources. What it needs is in the virtual environment. */
function building(sdk: string, folder: string): readonly string[] {
  const source = join(folder, "source");
  cpSync(sdk, source, { recursive: true });
  return ["--no-deps", "--no-build-isolation", source];
}

/** Arguments of Node with which it runs the TypeScript of the checkout in whose folder it is. Users' programs and processes run the build. */
export const TYPESCRIPT: readonly string[] = ["-r", "ts-node/register"];
