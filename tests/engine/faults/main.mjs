// Runs the specs of this folder at every request boundary instead of a choice: `npm run faults`, with mocha's arguments after `--`. It takes
// about 25 minutes on a quiet machine with 2 cores.
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "..", "..", "..");
const SPECS = readdirSync(HERE).filter((file) => file.endsWith(".spec.ts"));
const SETUP = join(ROOT, "tools", "setup", "main.mjs");

process.env.PREVIEWENV_FAULTS = "all";
// The set-up of `test:mocha` brings the languages that the specs need.
const files = SPECS.map((file) => `tests/engine/faults/${file}`);
process.argv = [process.argv[0] ?? "node", SETUP, "test:mocha", ...files, ...process.argv.slice(2)];
await import(SETUP);
