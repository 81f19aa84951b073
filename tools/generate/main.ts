// Writes what follows from the declarations and from the lock file. With `--check` it only says which files are stale.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { settings } from "../../provider/src/framework/settings";
import { generatedFiles } from "./files";
import { INSTALLATION, installation } from "./installation";

async function main(checkOnly: boolean): Promise<void> {
  const texts = [...(await generatedFiles()), [INSTALLATION, installation(settings)] as const];
  const stale = texts.filter(([file, text]) => current(file) !== text);
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

function current(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

void main(process.argv.includes("--check"));
