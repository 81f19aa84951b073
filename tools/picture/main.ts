// `npm run picture`: draws docs/preview-drift.svg from a real run against the sandbox.
import { writeFileSync } from "node:fs";
import * as path from "node:path";
import { driftPreview } from "./drift-preview";
import { drawTerminal } from "./svg";

const PICTURE = path.join(__dirname, "..", "..", "docs", "preview-drift.svg");
const TITLE =
  "pulumi preview --diff finds two changes by hand: LOG_LEVEL was deleted, and the hidden variable DATABASE_URL was edited. It shows no hidden value.";

async function main(): Promise<void> {
  writeFileSync(PICTURE, drawTerminal(await driftPreview(), TITLE));
  console.log("wrote docs/preview-drift.svg");
}

void main();
