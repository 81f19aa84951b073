import { join } from "node:path";
import { findOnPath, lastLines, run } from "../command.mjs";
import { isAtLeast, OLDEST_GO, OLDEST_GO_WITH_TOOLCHAINS, PULUMI_VERSION } from "../version.mjs";
import { intoCache } from "./cache.mjs";
import { CLI, LANGUAGE_HOST } from "./programs.mjs";

/**
 * @typedef {object} GoProgram A program that is built from Go modules; go.sum beside each go.mod fixes what is built.
 * @property {string} module The folder of tools/setup/pulumi/modules with go.mod and go.sum.
 * @property {string} program The name of the file.
 * @property {string} package Its Go package.
 */

/** @typedef {Pick<import("./programs.mjs").PulumiContext, "root" | "env" | "signal">} BuildContext */

// Without it `pulumi version` prints nothing.
const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/** @type {readonly GoProgram[]} */
const BUILDS = [
  { module: "cli", program: CLI, package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
  {
    module: "language-host",
    program: LANGUAGE_HOST,
    package: "github.com/pulumi/pulumi/sdk/nodejs/cmd/pulumi-language-nodejs/v3",
  },
];

/**
 * The CLI built from its Go modules, for machines that reach a Go proxy but not Pulumi's servers.
 * @param {import("./programs.mjs").PulumiContext} context
 * @returns {Promise<import("./programs.mjs").Candidate>}
 */
export async function byGoBuild(context) {
  const found = await usableGo(context);
  if ("reason" in found) return found;
  return intoCache(context, (bin) =>
    context.progress.step(
      `Pulumi CLI: build v${PULUMI_VERSION} with Go (1 min, the first time up to 10 min)`,
      async () => {
        for (const build of BUILDS) {
          const failed = await goBuild(found.go, bin, build, context);
          if (failed !== undefined) return failed;
        }
        return undefined;
      },
    ),
  );
}

/**
 * A Go on PATH that can build the modules, or why there is none.
 * @param {BuildContext} context
 * @returns {Promise<{ go: string } | { reason: string }>}
 */
export async function usableGo(context) {
  const go = findOnPath("go", context.env);
  if (go === undefined) return { reason: `there is no go on PATH (Go ${OLDEST_GO} or newer builds it)` };
  const { code, stdout, output } = await run(go, ["env", "GOVERSION", "GOTOOLCHAIN"], runOptions(context));
  if (code !== 0) return { reason: `${go} env failed:\n${lastLines(output)}` };
  const [version = "", toolchain = ""] = stdout.split("\n");
  const canFetchNewer = toolchain !== "local" && isAtLeast(version, OLDEST_GO_WITH_TOOLCHAINS);
  if (isAtLeast(version, OLDEST_GO) || canFetchNewer) return { go };
  return { reason: `${go} is ${version || "of an unknown version"}; Go ${OLDEST_GO} or newer builds it` };
}

/**
 * Builds one program into `bin`; gives the reason when that fails.
 * @param {string} go
 * @param {string} bin
 * @param {GoProgram} build
 * @param {BuildContext} context
 */
export async function goBuild(go, bin, { module, program, package: source }, context) {
  const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false"];
  const linker = `-s -w -X ${VERSION_VARIABLE}=v${PULUMI_VERSION}`;
  const args = ["build", ...flags, "-ldflags", linker, "-o", join(bin, program), source];
  const { code, output } = await run(go, args, runOptions(context, module));
  return code === 0 ? undefined : { reason: `go build ${source} failed (exit ${code}):\n${lastLines(output)}` };
}

/**
 * The folder of the module cache that holds the sources of a module which `module` names in its go.mod; undefined when Go does not say.
 * @param {string} go
 * @param {string} module
 * @param {string} wanted
 * @param {BuildContext} context
 */
export async function sourceFolder(go, module, wanted, context) {
  const args = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", wanted];
  const { code, stdout } = await run(go, args, runOptions(context, module));
  return code === 0 && stdout.trim() !== "" ? stdout.trim() : undefined;
}

/**
 * @param {BuildContext} context
 * @param {string} [module]
 */
function runOptions({ root, env, signal }, module) {
  return {
    ...(module === undefined ? {} : { cwd: moduleFolder(root, module) }),
    // A workspace file in a parent folder would replace the locked modules.
    env: { ...env, GOWORK: "off" },
    signal,
  };
}

/**
 * Where the go.mod and go.sum of a module lie.
 * @param {string} root
 * @param {string} module
 */
export function moduleFolder(root, module) {
  return join(root, "tools", "setup", "pulumi", "modules", module);
}
