import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { version } from "../../package.json";
import { settings } from "../src/framework/settings";
import { functions } from "../src/functions";
import { differences } from "../src/hosts/differences";
import { resources } from "../src/resources";
import { enumObjects } from "./generate/enum-objects";
import { format } from "./generate/format";
import { functionWrapper } from "./generate/function-wrapper";
import { nativeFunctions, nativeResources, versionFile } from "./generate/native-entry";
import { providerArgs } from "./generate/provider-args";
import { reference } from "./generate/reference";
import { fileName, resourceClass } from "./generate/resource-class";
import { packageSchema } from "./generate/schema";

/** Writes what follows from the declarations; with `--check` it only says which files are stale. */
function main(checkOnly: boolean): void {
  const stale = [...outputs()].filter(([file, text]) => current(file) !== text);
  if (!checkOnly) {
    for (const [file, text] of stale) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      console.log(`wrote ${file}`);
    }
    return;
  }
  for (const [file] of stale) console.error(`${file} is stale: run \`npm run generate\``);
  if (stale.length > 0) process.exitCode = 1;
}

/** Every generated file with its text, formatted. */
function outputs(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const add = (file: string, text: string): unknown => files.set(file, format(file, text));
  for (const resource of resources) add(`sdk/nodejs/${fileName(resource.type)}.ts`, resourceClass(resource));
  for (const one of functions) add(`sdk/nodejs/${fileName(one.name)}.ts`, functionWrapper(one));
  add("sdk/nodejs/provider-args.ts", providerArgs(settings));
  add("sdk/nodejs/native-resources.ts", nativeResources(resources));
  add("sdk/nodejs/native-functions.ts", nativeFunctions(functions));
  add("sdk/nodejs/version.ts", versionFile(version));
  add("sdk/nodejs/enums.ts", enumObjects(resources));
  add("provider/schema.json", packageSchema({ settings, resources, functions }));
  // The formatter leaves Markdown alone.
  files.set("docs/reference.md", reference({ settings, resources, functions }, differences));
  return files;
}

function current(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

main(process.argv.includes("--check"));
