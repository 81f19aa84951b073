/** Compiled, never run: what a program may write, and what the compiler refuses. */
/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";

const config = new pulumi.Config();
const shop = previewenv.getEnvironmentOutput({ repoName: "web", pullRequestNumber: 42 });

const vars = new previewenv.EnvVarSet("vars", {
  environmentId: shop.id,
  variables: { LOG_LEVEL: "debug", FEATURE_CHECKOUT: "on" },
  secrets: config.requireObject<Record<string, string>>("secrets"),
  services: ["web", "worker"],
});

const deployed = new previewenv.EnvironmentBranches("branches", {
  environmentId: shop.id,
  branches: { web: "feature/checkout" },
  rebuildOn: [vars.revision],
});

export const url: pulumi.Output<string> = deployed.url;
export const repositories: pulumi.Output<string[]> = deployed.projects.apply((all) =>
  all.map(({ repoName }) => repoName),
);
export const level: pulumi.Output<string | undefined> = vars.variables.apply((variables) => variables?.["LOG_LEVEL"]);

const provider = new previewenv.Provider("second", { apiToken: config.requireSecret("token"), maxRetries: 2 });
export const other: Promise<previewenv.GetEnvironmentResult> = previewenv.getEnvironment({ name: "x" }, { provider });

new previewenv.EnvVarSet(
  "inputs",
  {
    environmentId: pulumi.output(""),
    variables: pulumi.output({ A: "1" }),
    secrets: { A: pulumi.secret("1"), B: Promise.resolve("2") },
    onConflict: "overwrite",
    prune: undefined,
  },
  { provider, protect: true },
);

// @ts-expect-error -- there is no such choice
new previewenv.EnvVarSet("vars", { environmentId: "", onConflict: "replace" });
// @ts-expect-error -- environmentId is missing
new previewenv.EnvVarSet("vars", { variables: {} });
// @ts-expect-error -- arguments are missing
new previewenv.EnvironmentBranches("branches");
const awake = new previewenv.EnvironmentState("awake", { environmentId: shop.id, state: native.State.Running });
export const isReady: pulumi.Output<boolean> = awake.ready;
new previewenv.EnvironmentAction("rebuild", {
  environmentId: awake.environmentId,
  action: "rebuild",
  triggers: { variables: vars.revision },
});
// @ts-expect-error -- what stands there has a value
new previewenv.SnapshotLoad("data", { environmentId: shop.id, sequenceNumber: 7, sourceEnvironmentId: undefined });
// @ts-expect-error -- what stands there has a value
new previewenv.Provider("other", { apiToken: undefined });
void previewenv.getBuildHistory({ environmentId: "", successfullyBuilt: undefined, limit: undefined });
// @ts-expect-error -- a filter that stands there has a value
void previewenv.getEnvironment({ repoName: "web", pullRequestNumber: undefined });
// @ts-expect-error -- an environment is not brought to be retired
new previewenv.EnvironmentState("awake", { environmentId: shop.id, state: "retired" });
// @ts-expect-error -- a value is a string
new previewenv.EnvVarSet("vars", { environmentId: "", variables: { PORT: 8080 } });
// @ts-expect-error -- a typing error
new previewenv.EnvVarSet("vars", { environmentId: "", secret: {} });
// @ts-expect-error -- an environment variable of the program may be missing
new previewenv.EnvVarSet("vars", { environmentId: "", secrets: { TOKEN: process.env["TOKEN"] } });
// @ts-expect-error -- bookkeeping is no output
export const observed = vars.observed;
// @ts-expect-error -- the plain form takes no Outputs
export const plain = previewenv.getEnvironment({ name: pulumi.output("x") });
// @ts-expect-error -- exactly one environment needs to be asked for
export const nothing = previewenv.getEnvironment();
// @ts-expect-error -- a secret has a function of its own
export const token = previewenv.getEnvironmentOutput({ id: "" }).bypassToken;
// @ts-expect-error -- a hidden variable has no value
export const value: Promise<string[]> = previewenv
  .getEnvVars({ environmentId: "" })
  .then(({ variables }) => variables.map((one) => one.value));
// @ts-expect-error -- outputs cannot be set
vars.revision = pulumi.output("");

/** What takes a set takes one of either host. */
export function revisionOf(set: previewenv.EnvVarSet): pulumi.Output<string> {
  return set.revision;
}
const nativeProvider = new native.Provider("third", { apiToken: config.requireSecret("token") });
const nativeArgs: native.EnvVarSetArgs = { environmentId: shop.id, secrets: { A: "1" } };
export const revision = revisionOf(
  new native.EnvVarSet("native", nativeArgs, { provider: nativeProvider, import: "id", version: "1.0.0" }),
);
export const seen: native.EnvVarSet = native.EnvVarSet.get("seen", shop.id);
export const sameArgs: previewenv.EnvVarSetArgs = nativeArgs;
export const found: pulumi.Output<native.GetEnvironmentResult> = native.getEnvironmentOutput({ id: shop.id });
export const shopEnvironment: previewenv.PreviewEnvironment = new native.PreviewEnvironment("shop", {
  environment: { id: shop.id },
  variableSets: { app: native.variablesFromDotenv({ text: "A=1" }) },
});
previewenv.EnvironmentBranches.get("looked", shop.id, { branches: { web: "main" } }, { parent: shopEnvironment });
// @ts-expect-error -- what serves a class is not the program's business
export const host = native.EnvVarSet.host;
// @ts-expect-error -- an action that was done cannot be looked at
export const done = native.EnvironmentAction.get("done", shop.id);
