// Generated from provider/src/builds/environment-branches.ts by `npm run generate`. Do not edit.

import * as dynamic from "../environment-branches";
import { nativeHost } from "../../runtime/host";

/**
 * Which branch of each repository is deployed in an environment. One `pulumi up` starts one build at most,
 * whatever changed, and waits for it. A repository that is removed from `branches` keeps the branch that it has. A
 * destroy changes nothing on the service, unless `onDestroy` is `"restore"`.
 * @remarks Import: `pulumi import previewenv:index:EnvironmentBranches <name> <id>`. The id is `<environmentId>`.
 * Imports every repository of the environment, with the branch that is deployed now. These branches also become
 * `originalBranches`. `rebuildOn` is not imported: adding it to the program rebuilds once.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#environmentbranches}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const vars = new previewenv.EnvVarSet("vars", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   variables: { LOG_LEVEL: "debug" },
 * });
 * const branches = new previewenv.EnvironmentBranches("branches", {
 *   environmentId: vars.environmentId,
 *   branches: { web: "feature/checkout" },
 *   rebuildOn: [vars.revision], // one rebuild when variables changed and branches did not
 * });
 * export const url = branches.url;
 * ```
 */
export class EnvironmentBranches extends dynamic.EnvironmentBranches {
  protected static override readonly host = nativeHost;
}
