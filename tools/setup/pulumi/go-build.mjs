import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { withNewFolder } from "../cache-folder.mjs";
import { findOnPath, runOrFail } from "../command.mjs";
import { PULUMI_VERSION } from "../version.mjs";

/** @typedef {Pick<import("../dependencies.mjs").SetupContext, "root" | "env">} Context */

// Without it `pulumi version` prints nothing.
const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * Builds programs that the go.mod of a module has among its tools, into a folder, where each is whole or absent. Go.sum beside it fixes what is
 * built.
 * @param {string} module
 * @param {RegExp} wanted What the package of such a program has in its path.
 * @param {string} bin
 * @param {Context} context
 */
export async function goBuild(module, wanted, bin, context) {
  const { stdout } = await go(["list", "-mod=readonly", "tool"], module, context);
  const packages = stdout.split("\n").filter((path) => wanted.test(path));
  const linker = `-s -w -X ${VERSION_VARIABLE}=v${PULUMI_VERSION}`;
  const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", linker];
  await withNewFolder(bin, async (folder) => {
    await go(["build", ...flags, "-o", folder, ...packages], module, context);
    for (const program of await readdir(folder)) await rename(join(folder, program), join(bin, program));
  });
}

/**
 * Runs Go in the folder of a module of tools/setup/pulumi/modules. Go says itself when it is too old.
 * @param {[string, ...string[]]} args
 * @param {string} module
 * @param {Context} context
 */
export function go(args, module, { root, env }) {
  const program = findOnPath("go", env);
  if (program === undefined) throw new Error("there is no go on PATH");
  // A workspace file in a parent folder would replace the locked modules.
  const options = { cwd: join(root, "tools/setup/pulumi/modules", module), env: { ...env, GOWORK: "off" } };
  return runOrFail(`go ${args[0]} in ${module}`, [program, ...args], options);
}
