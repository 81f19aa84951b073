import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { cliEnvironment } from "../../provider/src/drift/cli-environment";
import { JOB_VARIABLES } from "../support/job-variables";

/** What every call of the CLI may have: it says where state is and who may read it, where plugins come from, or how much is done at a time. */
const KEPT =
  `ACCESS_TOKEN API AUTOMATION_API_SKIP_VERSION_CHECK BACKEND_URL CREDENTIAL_STORE DEBUG_GRPC DEFAULT_ORGANIZATION DEV
  DISABLE_AUTOMATIC_PLUGIN_ACQUISITION DISABLE_JOURNALING DISABLE_REGISTRY_RESOLVE DISABLE_SECRET_CACHE DISABLE_VALIDATION
  DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS DIY_BACKEND_GZIP DIY_BACKEND_IGNORE_DEPRECATION_ERROR DIY_BACKEND_LEGACY_LAYOUT
  DIY_BACKEND_NO_LEGACY_WARNING DIY_BACKEND_PARALLEL DIY_BACKEND_RETAIN_CHECKPOINTS DIY_BACKEND_ZSTD ERROR_ON_DEPENDENCY_CYCLES
  ERROR_OUTPUT_STRING FALLBACK_TO_STATE_SECRETS_MANAGER GITSSH_PASSPHRASE GOROUTINE_PANIC_RECOVERY HOME IGNORE_AMBIENT_PLUGINS
  JOURNALING_BATCH_PERIOD JOURNALING_BATCH_SIZE LOG_ROTATION_MAX_AGE_DAYS LOG_ROTATION_MAX_TOTAL_MB NEO_SUMMARY_MAXLEN
  NEO_SUMMARY_MODEL PACKAGE_TEMPLATE_BRANCH PACKAGE_TEMPLATE_GIT_REPOSITORY PACKAGE_TEMPLATE_PATH PARALLEL PARALLEL_ANALYZE
  PLUGIN_DOWNLOAD_URL_OVERRIDES POLICY_TEMPLATE_BRANCH POLICY_TEMPLATE_GIT_REPOSITORY POLICY_TEMPLATE_PATH SKIP_CHECKPOINTS
  SKIP_UPDATE_CHECK SUPPRESS_NEO_LINK TEMPLATE_BRANCH TEMPLATE_GIT_REPOSITORY TEMPLATE_PATH`.split(/\s+/u);

/** Where the CLI lists the variables that it reads, if it was built on this machine. */
function sourceOfVariables(): string {
  const module = readFileSync(resolve(__dirname, "../../tools/setup/pulumi/modules/pulumi/go.mod"), "utf8");
  const [, version = ""] = /pulumi\/sdk\/v3 (v[\d.]+)/u.exec(module) ?? [];
  const modules = process.env["GOMODCACHE"] ?? join(process.env["GOPATH"] ?? join(homedir(), "go"), "pkg", "mod");
  return join(modules, "github.com", "pulumi", "pulumi", "sdk", `v3@${version}`, "go", "common", "env", "env.go");
}

const kept = (environment: NodeJS.ProcessEnv, runsProgram = true): NodeJS.ProcessEnv => {
  const { NODE_COMPILE_CACHE: _own, ...others } = cliEnvironment(environment, runsProgram);
  return others;
};

describe("drift: the environment of a call of the Pulumi CLI", () => {
  it("has what says where state and its settings are, and nothing that stands for a flag", () => {
    const place = {
      PULUMI_BACKEND_URL: "s3://acme-state",
      PULUMI_CONFIG_PASSPHRASE: "",
      PULUMI_OPTION_CONFIG_FILE: "ci.yaml",
      PULUMI_OPTION_DISABLE_INTEGRITY_CHECKING: "true",
      PREVIEWENV_API_TOKEN: "token",
      HTTPS_PROXY: "http://proxy.example",
      PULUMI_PR_NUMBER: "7",
    };
    const {
      PULUMI_STACK: _stack,
      PULUMI_PARALLEL: _parallel,
      PULUMI_ERROR_OUTPUT_STRING: _text,
      ...said
    } = JOB_VARIABLES;
    const remaining = kept({ ...said, ...place });
    expect(remaining).to.include(place);
    expect(Object.keys(remaining).filter((name) => name.startsWith("PULUMI_") && !(name in place))).to.deep.equal([]);
  });

  it("has of NODE_OPTIONS all that they say for a program that runs, and else only what suits every program", () => {
    const NODE_OPTIONS = '--import=tsx --use-system-ca -r "./a b.cjs" --max-old-space-size=900';
    expect(kept({ NODE_OPTIONS })).to.deep.equal({ NODE_OPTIONS });
    expect(kept({ NODE_OPTIONS }, false)).to.deep.equal({
      NODE_OPTIONS: "--use-system-ca --max-old-space-size=900",
    });
    expect(kept({}, false)).to.deep.equal({});
  });

  it("decides about every variable that the CLI lists", function () {
    const source = sourceOfVariables();
    if (!existsSync(source)) this.skip();
    const listed = Array.from(readFileSync(source, "utf8").matchAll(/env\.(?:Bool|String|Int)\(\s*"(\w+)"/gu));
    const names = listed.map(([, name = ""]) => name);
    expect(names).to.have.length.above(60);
    const given = Object.fromEntries(names.map((name) => [`PULUMI_${name}`, "true"]));
    const remaining = Object.keys(kept(given)).map((name) => name.slice("PULUMI_".length));
    expect(remaining.toSorted()).to.deep.equal(KEPT.toSorted());
  });
});
