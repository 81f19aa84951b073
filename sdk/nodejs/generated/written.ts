// Generated from sdk/nodejs/runtime and the declarations in provider/src by `npm run generate`. Do not edit.

import { dynamicHost as host } from "../runtime/host";
import type { Parts } from "../runtime/preview-environment";
import { Provider as ProviderWritten } from "../runtime/provider";
import { PreviewEnvironment as PreviewEnvironmentWritten } from "../runtime/preview-environment";
import { PreviewEnvironments as PreviewEnvironmentsWritten } from "../runtime/preview-environments";
import { existing as existingWritten } from "../runtime/existing";
import { variablesFromDotenv as variablesFromDotenvWritten } from "../runtime/dotenv";
import { EnvVarSet, EnvironmentBranches, EnvironmentState, getEnvironmentOutput, getEnvironmentsOutput } from ".";

const parts: Parts = {
  host,
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
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#provider}
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv";
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
export class Provider extends ProviderWritten {
  protected static override readonly host = host;
}

/**
 * A preview environment that exists, as one component. It finds the environment, writes its variables, and then
 * deploys its branches. One `pulumi up` starts one build at most, and waits for it. A rebuild happens only when
 * variables changed and no branch did. A destroy deletes the variables, does with the branches what `onDestroy`
 * says, and leaves the environment. The children are named after the component. So with `aliases: [{ name: "old"
 * }]` it can be renamed, and nothing else changes.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#previewenvironment}
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv";
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
export class PreviewEnvironment extends PreviewEnvironmentWritten {
  protected static override readonly parts = parts;
}

/**
 * Every environment that matches, such as those of all open pull requests of a repository, as one component. The
 * environments are listed in each run of the program, until two lists in a row are the same. Each environment gets
 * the children of a PreviewEnvironment, named `<id of the environment>-<name of the entry>`, so that the component
 * can be renamed. When an environment is no longer listed, its children are removed from the stack at the end of
 * the `up`. When the service has deleted the environment, the run succeeds. When it still exists, its variables
 * and branches stay as they are, unless `onUnlisted` is `"delete"`. The program fails, and so Pulumi deletes
 * nothing, when the list cannot be read or a preview does not know `match`. It also fails when an environment
 * cannot be declared, but still declares the others.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#previewenvironments}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
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
export class PreviewEnvironments extends PreviewEnvironmentsWritten {
  protected static override readonly parts = parts;
}

/**
 * Leaves the value of a variable to the service, in `variables` or `secrets` of an EnvVarSet, or as `value` of an
 * EnvVar. The variable must exist. It keeps its value, no change of that value is drift, and nothing deletes it. A
 * hidden variable is never written, so its visibility and its services cannot be changed. A visible one is written
 * when these have to change, with the value that it has.
 * @returns the text `previewenv:existing:v1`, which programs in other languages write themselves
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#existing}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * new previewenv.EnvVarSet("vars", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   variables: { LOG_LEVEL: "debug" },
 *   secrets: { SESSION_KEY: previewenv.existing() }, // must be there; its value is the service's
 * });
 * ```
 */
export const existing: typeof existingWritten = existingWritten;

/**
 * Reads a `.env` file into `variables` and `secrets` for an EnvVarSet: `{ environmentId,
 * ...variablesFromDotenv(".env") }`. A string is always a path. The syntax is that of the `dotenv` package. When a
 * name occurs twice, the last value counts. `$NAME` in a value is not expanded. Lines that are not `NAME=value`
 * are skipped. Nothing is put into `process.env`.
 * @throws pulumi.RunError for a file that cannot be read, and for arguments that cannot work. Never with a value
 * in it
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#variablesfromdotenv}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * // Names that end in _TOKEN or _URL become secrets, all others variables.
 * const { variables, secrets } = previewenv.variablesFromDotenv("shop.env", { secrets: ["*_TOKEN", "*_URL"] });
 * new previewenv.EnvVarSet("vars", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   variables,
 *   secrets,
 * });
 * ```
 */
export const variablesFromDotenv: typeof variablesFromDotenvWritten = variablesFromDotenvWritten;
