// Generated from sdk/nodejs/runtime by `npm run generate`. Do not edit.

import { nativeHost } from "../../runtime/host";
import { Provider as DynamicProvider } from "../../runtime/provider";
import { PreviewEnvironment as DynamicPreviewEnvironment } from "../../runtime/preview-environment";
import { PreviewEnvironments as DynamicPreviewEnvironments } from "../../runtime/preview-environments";
import { EnvVarSet } from "./env-var-set";
import { EnvironmentBranches } from "./environment-branches";
import { EnvironmentState } from "./environment-state";
import { getEnvironmentOutput, getEnvironmentsOutput } from "./functions";

const parts = {
  host: nativeHost,
  EnvVarSet,
  EnvironmentBranches,
  EnvironmentState,
  getEnvironmentOutput,
  getEnvironmentsOutput,
};

/**
 * Settings for some resources and functions of a program, such as the token of a second organization. Pass it to
 * them as the option `provider`. A setting that is left out comes from stack config, or else from its environment
 * variable, which the provider reads.
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const config = new pulumi.Config();
 * const second = new previewenv.Provider("second", { apiToken: config.requireSecret("secondToken") });
 * new previewenv.EnvVarSet(
 *   "vars",
 *   { environmentId: "11111111-1111-4111-8111-111111111142", variables: { LOG_LEVEL: "debug" } },
 *   { provider: second },
 * );
 * ```
 */
export class Provider extends DynamicProvider {
  protected static override readonly host = nativeHost;
}

/**
 * A preview environment as one component: finds it, writes its variables, then deploys its branches with one build
 * at most per `pulumi up`, and waits for that. A rebuild happens only when variables changed and no branch did.
 * Its children are named after it, so that renaming it with `aliases: [{ name: "old" }]` changes nothing.
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const shop = new previewenv.PreviewEnvironment("shop", {
 *   environment: { repoName: "web", pullRequestNumber: 42 },
 *   variableSets: {
 *     app: { variables: { LOG_LEVEL: "debug" } },
 *     database: { secrets: { DATABASE_URL: new pulumi.Config().requireSecret("databaseUrl") } },
 *   },
 *   branches: { web: "feature/checkout" }, // written after the variables, so that one build has both
 * });
 * export const url = shop.url;
 * ```
 */
export class PreviewEnvironment extends DynamicPreviewEnvironment {
  protected static override readonly parts = parts;
}

/**
 * Every environment that matches, such as those of all open pull requests of a repository, as one component. The
 * environments are listed in each run of the program, until two lists in a row are the same. Each environment gets
 * the children of a `PreviewEnvironment`, named `<id of the environment>-<name of the entry>`, so that the
 * component can be renamed. When an environment is no longer listed, its children are removed from the stack at
 * the end of the `up`. When the service has deleted the environment, the `up` succeeds. When it still exists, its
 * variables and branches stay as they are, unless `onUnlisted` is `"delete"`.

The program fails, and so Pulumi
 * deletes nothing, when the list cannot be read or a preview does not know `match`. It also fails when an
 * environment cannot be declared, but still declares the others.
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * // One for each environment of an open pull request of the repository `web`.
 * const previews = new previewenv.PreviewEnvironments("web", {
 *   match: { repoName: "web" },
 *   pullRequestsOnly: true,
 *   variableSets: {
 *     app: { variables: { LOG_LEVEL: "debug" }, variablesFrom: { PUBLIC_URL: "url", PR_NUMBER: "pullRequestNumber" } },
 *   },
 * });
 * export const urls = previews.environments.apply((all) => all.map(({ url }) => url));
 * ```
 */
export class PreviewEnvironments extends DynamicPreviewEnvironments {
  protected static override readonly parts = parts;
}
