// What a change of identity.json means for the files that somebody wrote: the names of the last commit become those of today.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git";
import { ownerFields } from "./manifest";
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
  // Nobody wrote the lock file, but its first lines say the name of the package.
  const lock = join(ROOT, "package-lock.json");
  const named = readFileSync(lock, "utf8").replaceAll(
    `"name": "${from.npmPackage}"`,
    `"name": "${identity.npmPackage}"`,
  );
  writeFileSync(lock, named);
  // The publisher's name may be an ordinary word: as a text it is not replaced everywhere.
  const manifest = join(ROOT, "package.json");
  const fields: object = JSON.parse(readFileSync(manifest, "utf8"));
  writeFileSync(manifest, `${JSON.stringify({ ...fields, ...ownerFields(identity) }, undefined, 2)}\n`);
  console.log("Now `npm run format`, `npm run generate` and `npm run generate:sdks`.");
  if (from.npmPackage !== identity.npmPackage)
    console.log("State names the npm package: write that of the version to come anew, with `npm run release:state`.");
}

main(process.argv[2]);
