import { readFileSync } from "node:fs";
import * as path from "node:path";
import { buildSync } from "esbuild";

/** Where the page is written by hand. */
export const PAGE_SOURCE = "provider/src/sandbox/page/source";

const FOLDER = path.join(__dirname, "..", "..", PAGE_SOURCE);

/** The sandbox's page as a module of texts, so that the published package needs no bundler. */
export function sandboxPage(): string {
  const texts = {
    markup: readFileSync(path.join(FOLDER, "page.html"), "utf8").replaceAll(/\n\s+/gu, "\n"),
    style: bundle("style.css"),
    script: bundle("main.ts"),
  };
  return Object.entries(texts)
    .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`)
    .join("");
}

function bundle(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(FOLDER, entry)],
    bundle: true,
    minify: true,
    charset: "utf8",
    write: false,
  });
  return outputFiles.map(({ text }) => text).join("");
}
