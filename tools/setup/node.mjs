import { join } from "node:path";
import { findOnPath } from "./command.mjs";
import { SetupError } from "./setup-error.mjs";
import { isAtLeast, OLDEST_NODE } from "./version.mjs";

/**
 * The folder with the programs of the installed packages, among them Node 24 of the npm package `node`.
 * @param {string} root
 */
export function programFolder(root) {
  return join(root, "node_modules", ".bin");
}

/**
 * The Node that steps and scripts run on: that of the npm package `node`, else the one running now, when it is new enough.
 * @param {string} root The checkout, with its dependencies installed.
 */
export function nodeOf(root) {
  const installed = findOnPath("node", { PATH: programFolder(root) });
  if (installed !== undefined) return installed;
  if (isAtLeast(process.version, OLDEST_NODE)) return process.execPath;
  throw new SetupError(
    [
      `Node ${OLDEST_NODE} or newer is needed; this is ${process.version}.`,
      "The npm package node, which brings Node 24, did not install: npm must be allowed to run its install script (npm config get ignore-scripts).",
      "Allow it, or install Node 24 (https://nodejs.org/en/download), and run the command again.",
    ].join("\n"),
  );
}
