// Brings the checkout to a version: `npm run release -- 0.2.0`. Makes no commit and no tag, and publishes nothing.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { git } from "./git";
import { reasonsAgainst, writeVersion } from "./prepare";

const ROOT = join(__dirname, "..", "..");

function main(version = ""): void {
  const reasons = reasonsAgainst(ROOT, version);
  if (reasons.length > 0) {
    console.error(`Not released, and nothing was changed.\n${reasons.join("\n")}`);
    process.exitCode = 1;
    return;
  }
  console.log("What a failure leaves half written, `git reset --hard` takes back.");
  writeVersion(ROOT, version, new Date().toISOString().slice(0, 10));
  for (const script of ["main.ts", join("sdks", "main.ts")])
    execFileSync(process.execPath, ["-r", "ts-node/register", join("tools", "generate", script)], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "inherit"],
    });
  console.log(git(ROOT, ["status", "--short"]));
  console.log("Nothing is committed, tagged or published. RELEASING.md says what comes next.");
}

main(process.argv[2]);
