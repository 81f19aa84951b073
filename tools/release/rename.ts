// What a change of identity.json means for the files that somebody wrote: the names of the last commit become those of today.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git";
import { renamed, writtenFiles } from "./owned-names";
import { Identity, identity } from "./owner";

const ROOT = join(__dirname, "..", "..");
const IDENTITY = "tools/release/identity.json";

/** @param commit the commit whose files have the old names */
function main(commit = "HEAD"): void {
  const before: unknown = JSON.parse(git(ROOT, ["show", `${commit}:${IDENTITY}`]));
  const from = Identity.parse(before);
  const stale = [...writtenFiles(ROOT)].filter(
    ([file, text]) => file !== IDENTITY && renamed(text, from, identity) !== text,
  );
  for (const [file, text] of stale) {
    writeFileSync(join(ROOT, file), renamed(text, from, identity));
    console.log(`wrote ${file}`);
  }
  console.log("Now `npm run generate` and `npm run generate:sdks`.");
}

main(process.argv[2]);
