// Brings the checkout to a version: `npm run release -- 0.2.0`. Makes no commit and no tag, and publishes nothing.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { identity } from "./owner";
import { prepare, Refused } from "./prepare";

const ROOT = join(__dirname, "..", "..");

/** Writes every generated file of a checkout. */
function generate(checkout: string): void {
  for (const script of ["main.ts", join("sdks", "main.ts")]) {
    const args = ["-r", "ts-node/register", join("tools", "generate", script)];
    execFileSync(process.execPath, args, { cwd: checkout, stdio: ["ignore", "ignore", "inherit"] });
  }
}

function next(version: string): string {
  const lines = [
    "",
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

function main([version = ""]: readonly string[]): void {
  try {
    const date = new Date().toISOString().slice(0, 10);
    for (const file of prepare(ROOT, { version, date, generate })) console.log(`wrote ${file}`);
    console.log(next(version));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(`Not released, and nothing was changed.\n${error.message}`);
    process.exitCode = 1;
  }
}

main(process.argv.slice(2));
