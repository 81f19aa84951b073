// The notes of a release, from CHANGELOG.md: `npm run --silent release:notes > notes.md`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { notesOf } from "./changelog";
import { identity } from "./owner";

const CHANGELOG = join(__dirname, "..", "..", "CHANGELOG.md");

const notes = notesOf(readFileSync(CHANGELOG, "utf8"), version);
if (notes === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
// Links of CHANGELOG.md begin at the root of the repository. On the page of a release they would lead nowhere.
const absolute = notes.replaceAll(/\]\((?!https?:)/gu, `](${identity.repositoryUrl}/blob/v${version}/`);
process.stdout.write(`${absolute}\n`);
