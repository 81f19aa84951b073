// Writes what follows from the declarations. With `--check` it only says which files are stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { generatedFiles } from "./files";
import { INSTALLATION, installation } from "./installation";

async function main(checkOnly: boolean): Promise<void> {
  const texts = [...(await generatedFiles()), [INSTALLATION, installation()] as const];
  const stale = texts.filter(([file, text]) => !existsSync(file) || readFileSync(file, "utf8") !== text);
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

void main(process.argv.includes("--check"));
