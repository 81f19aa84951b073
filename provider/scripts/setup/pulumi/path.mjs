import { realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { findOnPath } from "../command.mjs";
import { OLDEST_PULUMI } from "../version.mjs";
import { unusable } from "./programs.mjs";

/**
 * The CLI that is on PATH, when it is new enough and its hosts for Node are there too.
 * @param {import("./programs.mjs").PulumiContext} context
 * @returns {Promise<import("./programs.mjs").Candidate>}
 */
export async function onPath(context) {
  // npm puts node_modules/.bin on PATH; what lies there is not the user's CLI.
  const ownModules = join(realpathSync(context.root), "node_modules") + sep;
  const isForeign = (/** @type {string} */ folder) => !isInside(folder, ownModules);
  const cli = findOnPath("pulumi", context.env, isForeign);
  if (cli === undefined) return { reason: "there is no pulumi on PATH" };
  for (const host of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]) {
    if (findOnPath(host, context.env, isForeign) === undefined)
      return { reason: `${cli} is there, but no ${host} is on PATH` };
  }
  const reason = await unusable(cli, OLDEST_PULUMI, context);
  return reason === undefined ? { folder: dirname(cli) } : { reason };
}

/**
 * @param {string} folder
 * @param {string} parent With a separator at the end.
 */
function isInside(folder, parent) {
  try {
    return (realpathSync(folder) + sep).startsWith(parent);
  } catch {
    return false;
  }
}
