// Asks the registry for known vulnerabilities: of what npm installs with the package, and of what the plugin's archives hold. The lock file
// calls some of the latter development tools, as npm does not install them.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundlePlugin, ROOT } from "./bundle.mjs";
import { writeProject } from "./npm-project.mjs";

/**
 * @param {string} title
 * @param {string} folder
 * @param {readonly string[]} options
 */
function audit(title, folder, ...options) {
  console.log(`${title}:`);
  const { status } = spawnSync("npm", ["audit", ...options], { cwd: folder, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}

const folder = await mkdtemp(join(tmpdir(), "previewenv-audit-"));
try {
  const packages = await bundlePlugin(join(folder, "plugin"));
  await writeProject(folder, packages);
  audit(`${packages.length} packages in the plugin`, folder, "--package-lock-only");
  audit("packages that npm installs", ROOT, "--omit=dev");
} finally {
  await rm(folder, { recursive: true, force: true });
}
