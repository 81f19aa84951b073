import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath, runOrFail } from "../command.mjs";
import { OLDEST_GO, PULUMI_VERSION } from "../version.mjs";

/**
 * @typedef {object} GoProgram A program that is built from Go modules. Go.sum beside each go.mod fixes what is built.
 * @property {string} module The folder of tools/setup/pulumi/modules with go.mod and go.sum.
 * @property {string} program The name of its file, without the suffix of Windows.
 * @property {string} package Its Go package.
 */

/** @typedef {Pick<import("../dependencies.mjs").SetupContext, "root" | "env">} BuildContext */

export const NO_GO = `there is no go on PATH (Go ${OLDEST_GO} or newer builds it)`;
// Without it `pulumi version` prints nothing.
const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * The file name of a program on this platform.
 * @param {string} name
 */
export function programName(name) {
  return process.platform === "win32" ? `${name}.exe` : name;
}

/**
 * Builds one program into a folder, where it is whole or absent.
 * @param {GoProgram} program
 * @param {string} bin
 * @param {BuildContext} context
 */
export async function goBuild({ module, program, package: source }, bin, context) {
  const file = join(bin, programName(program));
  const part = `${file}.${process.pid}`;
  const linker = `-s -w -X ${VERSION_VARIABLE}=v${PULUMI_VERSION}`;
  const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", linker];
  try {
    await go(["build", ...flags, "-o", part, source], module, context);
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Runs Go in the folder of a module of tools/setup/pulumi/modules. Go says itself when it is too old.
 * @param {[string, ...string[]]} args
 * @param {string} module
 * @param {BuildContext} context
 */
export function go(args, module, { root, env }) {
  const program = findOnPath("go", env);
  if (program === undefined) throw new Error(NO_GO);
  // A workspace file in a parent folder would replace the locked modules.
  const options = { cwd: join(root, "tools/setup/pulumi/modules", module), env: { ...env, GOWORK: "off" } };
  return runOrFail(`go ${args[0]} ${args.at(-1)}`, [program, ...args], options);
}
