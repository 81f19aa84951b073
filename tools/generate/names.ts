import { readdirSync } from "node:fs";
import * as path from "node:path";

const SOURCES = path.join("provider", "src");
/** It declares nothing, but may use the same names. */
const SANDBOX = `sandbox${path.sep}`;

/** `EnvVarSet` lives in `env-var-set`, in every folder. */
export function fileName(type: string): string {
  return type.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "-").toLowerCase();
}

/** `GetEnvironment` of `getEnvironment`: types are named after functions and properties so. */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The file below provider/src that declares a resource or a function. */
export function declarationFile(type: string): string {
  const wanted = `${fileName(type)}.ts`;
  const found = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
    (file) => path.basename(file) === wanted && !file.startsWith(SANDBOX),
  );
  const [file] = found;
  if (file === undefined || found.length > 1)
    throw new Error(`provider/src must have one file ${wanted}, which declares ${type}; it has ${found.length}`);
  return path.join(SOURCES, file).replaceAll(path.sep, "/");
}
