import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { generateSdk, generatorOf, type Language, languages } from "./sdks/generator";

const SCHEMA = path.join("provider", "schema.json");

/** Writes sdk/<language> anew for each language that this machine has a generator for; fails when it has none. */
function main(): void {
  const written = languages.filter((language) => {
    const found = generatorOf(language);
    if ("reason" in found) console.error(`sdk/${language.name} stays as it is: ${found.reason}`);
    else replace(found.pulumi, language);
    return !("reason" in found);
  });
  if (written.length === 0) process.exitCode = 1;
}

function replace(pulumi: string, language: Language): void {
  const folder = mkdtempSync(path.join(tmpdir(), "previewenv-sdks-"));
  try {
    generateSdk(pulumi, language, SCHEMA, folder);
    const target = path.join("sdk", language.name);
    const made = path.join(folder, language.name);
    for (const file of language.kept)
      if (existsSync(path.join(target, file))) cpSync(path.join(target, file), path.join(made, file));
    rmSync(target, { recursive: true, force: true });
    cpSync(made, target, { recursive: true });
    console.log(`wrote ${target}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main();
