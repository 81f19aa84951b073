import { join } from "node:path";
import { findOnPath, lastLines, run } from "../command.mjs";
import { OLDEST_GO, PULUMI_VERSION } from "../version.mjs";
import { CLI, LANGUAGE_HOST } from "./programs.mjs";

/**
 * @typedef {object} GoProgram A program that is built from Go modules; go.sum beside each go.mod fixes what is built.
 * @property {string} module The folder of tools/setup/pulumi/modules with go.mod and go.sum.
 * @property {string} package Its Go package.
 */

/** @typedef {Pick<import("./programs.mjs").SetupContext, "root" | "env">} BuildContext */

// Without it `pulumi version` prints nothing.
const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/** @type {Readonly<Record<string, GoProgram>>} */
const PROGRAMS = {
  [CLI]: { module: "cli", package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
  [LANGUAGE_HOST]: {
    module: "language-host",
    package: "github.com/pulumi/pulumi/sdk/nodejs/cmd/pulumi-language-nodejs/v3",
  },
};

/**
 * Builds the CLI and its host for Node into a folder, for machines that reach a Go proxy but not Pulumi's servers.
 * @param {BuildContext & Pick<import("./programs.mjs").SetupContext, "progress">} context
 * @param {string} bin
 * @returns {Promise<{ reason: string } | undefined>}
 */
export async function buildCli(context, bin) {
  const found = findGo(context);
  if ("reason" in found) return found;
  const title = `Pulumi CLI: build v${PULUMI_VERSION} with Go (1 min, the first time up to 10 min)`;
  return context.progress.step(title, async () => {
    for (const [name, program] of Object.entries(PROGRAMS)) {
      const failed = await goBuild(found.go, join(bin, name), program, context);
      if (failed !== undefined) return failed;
    }
    return undefined;
  });
}

/**
 * The Go on PATH; it says itself when it is too old.
 * @param {Pick<BuildContext, "env">} context
 * @returns {{ go: string } | { reason: string }}
 */
export function findGo({ env }) {
  const go = findOnPath("go", env);
  return go === undefined ? { reason: `there is no go on PATH (Go ${OLDEST_GO} or newer builds it)` } : { go };
}

/**
 * Builds one program; gives the reason when that fails.
 * @param {string} go
 * @param {string} file
 * @param {GoProgram} program
 * @param {BuildContext} context
 */
export async function goBuild(go, file, { module, package: source }, context) {
  const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false"];
  const linker = `-s -w -X ${VERSION_VARIABLE}=v${PULUMI_VERSION}`;
  const { code, output } = await inModule(
    go,
    ["build", ...flags, "-ldflags", linker, "-o", file, source],
    module,
    context,
  );
  return code === 0 ? undefined : { reason: `go build ${source} failed (exit ${code}):\n${lastLines(output)}` };
}

/**
 * The folder of Go's cache with the sources of a module which `module` names in its go.mod; undefined when Go does not say.
 * @param {string} go
 * @param {string} module
 * @param {string} wanted
 * @param {BuildContext} context
 */
export async function sourceFolder(go, module, wanted, context) {
  const { code, stdout } = await inModule(
    go,
    ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", wanted],
    module,
    context,
  );
  return code === 0 && stdout.trim() !== "" ? stdout.trim() : undefined;
}

/**
 * @param {string} go
 * @param {string[]} args
 * @param {string} module
 * @param {BuildContext} context
 */
function inModule(go, args, module, { root, env }) {
  // A workspace file in a parent folder would replace the locked modules.
  return run(go, args, { cwd: join(root, "tools/setup/pulumi/modules", module), env: { ...env, GOWORK: "off" } });
}
