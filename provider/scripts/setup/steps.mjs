import { provideBuild } from "./build.mjs";
import { provideDependencies } from "./dependencies.mjs";
import { programFolder } from "./node.mjs";
import { cachedPulumi } from "./pulumi/cache.mjs";
import { providePulumi } from "./pulumi/pulumi-cli.mjs";
import { withPath } from "./run-script.mjs";

/** Names the folder of the Pulumi CLI that the set-up has chosen, for the scripts it starts. */
export const PULUMI_FOLDER_VARIABLE = "PREVIEWENV_PULUMI_BIN";

/**
 * Everything that the scripts need, in order; each step does nothing when its result is there.
 * @param {import("./dependencies.mjs").SetupContext} context
 * @returns {Promise<NodeJS.ProcessEnv>} The environment for the scripts.
 */
export async function setUp(context) {
  await provideDependencies(context);
  const pulumi = await providePulumi(context);
  await provideBuild(context);
  // A CLI that PATH has needs no second entry, which could hide other programs.
  const folders = pulumi.startsWith(cachedPulumi(context.cache)) ? [pulumi] : [];
  const env = withPath(context.env, [programFolder(context.root), ...folders]);
  return { ...env, [PULUMI_FOLDER_VARIABLE]: pulumi };
}
