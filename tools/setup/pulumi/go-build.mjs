import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { withNewFolder } from "../cache-folder.mjs";
import { findOnPath, runOrFail } from "../command.mjs";
import { OLDEST_GO, PULUMI_VERSION } from "../version.mjs";

export const NO_GO = `there is no go on PATH (Go ${OLDEST_GO} or newer builds it)`;
// Without it `pulumi version` prints nothing.
const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * Builds the programs that the go.mod of a module names as its tools, into a folder, where each is whole or absent. Go.sum beside it fixes
 * what is built.
 * @param {string} module
 * @param {string} bin
 * @param {import("../dependencies.mjs").SetupContext} context
 */
export async function goBuild(module, bin, context) {
  const linker = `-s -w -X ${VERSION_VARIABLE}=v${PULUMI_VERSION}`;
  const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", linker];
  await withNewFolder(bin, async (folder) => {
    await go(["build", ...flags, "-o", folder, "tool"], module, context);
    for (const program of await readdir(folder)) await rename(join(folder, program), join(bin, program));
  });
}

/**
 * Runs Go in the folder of a module of tools/setup/pulumi/modules. Go says itself when it is too old.
 * @param {[string, ...string[]]} args
 * @param {string} module
 * @param {import("../dependencies.mjs").SetupContext} context
 */
export function go(args, module, { root, env }) {
  const program = findOnPath("go", env);
  if (program === undefined) throw new Error(NO_GO);
  // A workspace file in a parent folder would replace the locked modules.
  const options = { cwd: join(root, "tools/setup/pulumi/modules", module), env: { ...env, GOWORK: "off" } };
  return runOrFail(`go ${args[0]} in ${module}`, [program, ...args], options);
}
