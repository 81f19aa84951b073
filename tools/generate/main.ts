// Writes what follows from the declarations and from the lock file; with `--check` it only says which files are stale.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { generatedFiles } from "./files";
import { hashOf, readSources } from "./sdks/sources";

const SCHEMA = path.join("provider", "schema.json");

function main(checkOnly: boolean): void {
  const stale = [...generatedFiles()].filter(([file, text]) => current(file) !== text);
  for (const [file, text] of stale) {
    if (checkOnly) {
      console.error(`${file} is stale: run \`npm run generate\``);
      process.exitCode = 1;
      continue;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
}

/** Says which SDKs are older than the schema. Only a machine with their generators can write them, so that tests/schema/sdks.spec.ts fails, not this. */
function showStaleSdks(): void {
  const hash = hashOf(SCHEMA);
  const stale = Object.entries(readSources()).filter(([, source]) => source !== hash);
  if (stale.length > 0)
    console.error(
      `sdk/${stale.map(([name]) => name).join(", sdk/")} older than ${SCHEMA}: run \`npm run generate:sdks\``,
    );
}

function current(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

main(process.argv.includes("--check"));
showStaleSdks();
