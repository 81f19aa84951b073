import { join } from "node:path";
import { findOnPath, lastLines, run } from "../command.mjs";
import { isAtLeast, OLDEST_GO, OLDEST_GO_WITH_TOOLCHAINS, PULUMI_VERSION } from "../version.mjs";
import { intoCache } from "./cache.mjs";
import { CLI, LANGUAGE_HOST } from "./programs.mjs";

// Without it `pulumi version` prints nothing.
const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

const BUILDS = [
  { module: "cli", program: CLI, package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
  {
    module: "language-host",
    program: LANGUAGE_HOST,
    package: "github.com/pulumi/pulumi/sdk/nodejs/cmd/pulumi-language-nodejs/v3",
  },
];

/**
 * The CLI built from its Go modules, for machines that reach a Go proxy but not Pulumi's servers; go.sum beside each go.mod fixes what is built.
 * @param {import("./programs.mjs").PulumiContext} context
 * @returns {Promise<import("./programs.mjs").Candidate>}
 */
export async function byGoBuild(context) {
  const go = findOnPath("go", context.env);
  if (go === undefined) return { reason: `there is no go on PATH (Go ${OLDEST_GO} or newer builds it)` };
  const unfit = await unfitGo(go, context);
  if (unfit !== undefined) return { reason: unfit };
  return intoCache(context, (bin) =>
    context.progress.step(`Pulumi CLI: build v${PULUMI_VERSION} with Go (1 min, the first time up to 10 min)`, () =>
      build(go, bin, context),
    ),
  );
}

/**
 * @param {string} go
 * @param {import("./programs.mjs").PulumiContext} context
 */
async function unfitGo(go, { env, signal }) {
  const { code, stdout, output } = await run(go, ["env", "GOVERSION", "GOTOOLCHAIN"], {
    env,
    ...(signal ? { signal } : {}),
  });
  if (code !== 0) return `${go} env failed:\n${lastLines(output)}`;
  const [version = "", toolchain = ""] = stdout.split("\n");
  const canFetchNewer = toolchain !== "local" && isAtLeast(version, OLDEST_GO_WITH_TOOLCHAINS);
  if (isAtLeast(version, OLDEST_GO) || canFetchNewer) return undefined;
  return `${go} is ${version || "of no known version"}; Go ${OLDEST_GO} or newer builds it`;
}

/**
 * @param {string} go
 * @param {string} bin
 * @param {import("./programs.mjs").PulumiContext} context
 */
async function build(go, bin, { root, env, signal }) {
  for (const { module, program, package: source } of BUILDS) {
    const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false"];
    const linker = `-s -w -X ${VERSION_VARIABLE}=v${PULUMI_VERSION}`;
    const { code, output } = await run(go, ["build", ...flags, "-ldflags", linker, "-o", join(bin, program), source], {
      cwd: join(root, "provider", "scripts", "pulumi-cli", module),
      // A workspace file in a parent folder would replace the locked modules.
      env: { ...env, GOWORK: "off" },
      ...(signal ? { signal } : {}),
    });
    if (code !== 0) return { reason: `go build ${source} failed (exit ${code}):\n${lastLines(output)}` };
  }
  return undefined;
}
