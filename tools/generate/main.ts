import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { version } from "../../package.json";
import { settings } from "../../provider/src/framework/settings";
import { functions } from "../../provider/src/functions";
import { differences } from "../../provider/src/hosts/differences";
import { resources } from "../../provider/src/resources";
import { enumObjects } from "./enum-objects";
import { format } from "./format";
import { functionWrapper } from "./function-wrapper";
import { nativeFunctions, nativeResources, versionFile } from "./native-entry";
import { providerArgs } from "./provider-args";
import { reference } from "./reference";
import { fileName, resourceClass } from "./resource-class";
import { packageSchema } from "./schema";

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
  for (const resource of resources) add(`sdk/nodejs/generated/${fileName(resource.type)}.ts`, resourceClass(resource));
  for (const one of functions) add(`sdk/nodejs/generated/${fileName(one.name)}.ts`, functionWrapper(one));
  add("sdk/nodejs/generated/provider-args.ts", providerArgs(settings));
  add("sdk/nodejs/generated/native-resources.ts", nativeResources(resources));
  add("sdk/nodejs/generated/native-functions.ts", nativeFunctions(functions));
  add("sdk/nodejs/generated/version.ts", versionFile(version));
  add("sdk/nodejs/generated/enums.ts", enumObjects(resources));
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
