// Brings the checkout to a version: `npm run release -- 0.2.0`. Makes no commit and no tag, and publishes nothing.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { git } from "./git";
import { identity } from "./owner";
import { reasonsAgainst, writeVersion } from "./prepare";

const ROOT = join(__dirname, "..", "..");

function next(version: string): string {
  const lines = [
    "Nothing is committed, tagged or published. Next:",
    "  npm test && npm run release:check && npm run release:rehearse",
    `  git commit --all --message "chore(release): ${version}"`,
    `  git tag v${version}`,
    `  git push --atomic origin HEAD v${version}`,
    `The workflow "release" on ${identity.repositoryUrl} does the rest.`,
  ];
  if (identity.securityContact.endsWith(".example"))
    lines.push("Not yet: tools/release/identity.json still has the names of an example. The workflow refuses them.");
  return lines.join("\n");
}

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
  console.log(next(version));
}

main(process.argv[2]);
