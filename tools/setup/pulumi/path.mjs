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
  const cli = findForeign("pulumi", context);
  if (cli === undefined) return { reason: "there is no pulumi on PATH" };
  for (const host of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]) {
    if (findForeign(host, context) === undefined) return { reason: `${cli} is there, but no ${host} is on PATH` };
  }
  const reason = await unusable(cli, OLDEST_PULUMI, context);
  return reason === undefined ? { folder: dirname(cli) } : { reason };
}

/**
 * A program on PATH that is the user's own: npm puts node_modules/.bin of the checkout on PATH too.
 * @param {string} name
 * @param {Pick<import("./programs.mjs").PulumiContext, "root" | "env">} context
 */
export function findForeign(name, { root, env }) {
  const ownModules = join(realpathSync(root), "node_modules") + sep;
  return findOnPath(name, env, (folder) => !isInside(folder, ownModules));
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
