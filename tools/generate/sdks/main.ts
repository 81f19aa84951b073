// Writes sdk/<language> anew for each language. Fails when this machine has no generator for one of them.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { generateSdk, languages } from "./generator";

async function main(): Promise<void> {
  for (const language of languages) {
    const folder = mkdtempSync(path.join(tmpdir(), "previewenv-sdks-"));
    try {
      await generateSdk(language, path.join("provider", "schema.json"), folder);
      const target = path.join("sdk", language.name);
      const made = path.join(folder, language.name);
      for (const file of language.written) cpSync(path.join(target, file), path.join(made, file));
      rmSync(target, { recursive: true, force: true });
      cpSync(made, target, { recursive: true });
      console.log(`wrote ${target}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

void main();
