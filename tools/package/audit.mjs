// Asks the registry for known vulnerabilities: of what npm installs with the package, and of what the plugin's archives hold. The lock file
// calls some of the latter development tools, as npm does not install them.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundlePlugin } from "./bundle.mjs";
import { ROOT } from "./bundling.mjs";

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
  const held = await bundlePlugin(join(folder, "plugin"));
  const dependencies = Object.fromEntries(held.map(({ name, version }) => [name, version]));
  const installed = held.map(({ name, version }) => [`node_modules/${name}`, { version }]);
  const lock = { lockfileVersion: 3, packages: { "": { dependencies }, ...Object.fromEntries(installed) } };
  await writeFile(join(folder, "package.json"), JSON.stringify({ dependencies }));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify(lock));
  audit(`${held.length} packages in the plugin`, folder, "--package-lock-only");
  audit("packages that npm installs", ROOT, "--omit=dev");
} finally {
  await rm(folder, { recursive: true, force: true });
}
