import { EnvVarSet } from "../generated/native/env-var-set";
import { EnvironmentBranches } from "../generated/native/environment-branches";
import { EnvironmentState } from "../generated/native/environment-state";
import { getEnvironmentOutput, getEnvironmentsOutput } from "../generated/native/functions";
import { nativeHost } from "./host";
import * as one from "./preview-environment";
import * as many from "./preview-environments";

const classes = { host: nativeHost, EnvVarSet, EnvironmentBranches, EnvironmentState };

/**
 * A preview environment as one component: finds it, writes its variables, then deploys its branches with one build at
 * most per `pulumi up`, and waits for that. A rebuild happens only when variables changed and no branch did. Its children
 * are named after it, so that renaming it with `aliases: [{ name: "old" }]` changes nothing.
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv-native";
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
export class PreviewEnvironment extends one.PreviewEnvironment {
  protected static override readonly parts = { ...classes, getEnvironmentOutput };
}

/**
 * Every environment that matches, such as those of all open pull requests of a repository, as one component. The
 * environments are listed in each run of the program, until two lists in a row are the same. Each environment gets the children of a {@link PreviewEnvironment}, named
 * `<id of the environment>-<name of the entry>`, so that the component can be renamed. When an environment is no
 * longer listed, its children are removed from the stack at the end of the `up`. When the service has deleted the environment, that
 * is no error. When it still exists, its variables and branches stay as they are, unless `onUnlisted` is `"delete"`.
 *
 * The program fails, and so Pulumi deletes nothing, when the list cannot be read or a preview does not know `match`. It
 * also fails when `exclude` or `each` fails for an environment, but still declares the other environments.
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv-native";
 *
 * // One for each environment of an open pull request of the repository `web`.
 * const previews = new previewenv.PreviewEnvironments("web", {
 *   match: { repoName: "web" },
 *   exclude: ({ projects }) => projects.every(({ pullRequestNumber }) => pullRequestNumber === undefined),
 *   each: ({ url }) => ({ variableSets: { app: { variables: { LOG_LEVEL: "debug", PUBLIC_URL: url } } } }),
 * });
 * export const urls = previews.environments.apply((all) => all.map(({ url }) => url));
 * ```
 */
export class PreviewEnvironments extends many.PreviewEnvironments {
  protected static override readonly parts = { ...classes, getEnvironmentsOutput };
}
