// Generated from provider/src/env-vars/env-var-set.ts by `npm run generate`. Do not edit.

import * as dynamic from "../env-var-set";
import { nativeHost } from "../../runtime/host";

/**
 * Many environment variables of one environment, as one resource. A write costs one request for each batch of
 * variables, and a refresh costs one request. When a name is removed from `variables` or `secrets`, the next `up`
 * deletes that variable on the service, and a destroy deletes all variables of the set. Those with `existing()` as
 * the value stay. Variables of the environment that were never in the set stay as they are, unless `prune` is
 * `true`.
 * @remarks Import: `pulumi import previewenv:index:EnvVarSet <name> <id>`. The id is `<environmentId>` or
 * `<environmentId>?names=A,B`. Imports all variables of the environment's own list, or those that `names` selects
 * (percent-encoded). Inherited variables are never imported. The id in state is `<environmentId>`. A hidden value
 * is imported as `existing()`, and a warning names the variable. Declare the real value, and the next `pulumi up`
 * writes it. `services` becomes the list that most of the variables have. When several lists are equally common,
 * it is the first of them in alphabetical order. `scopes` gets the other lists.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#envvarset}
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const config = new pulumi.Config();
 * new previewenv.EnvVarSet("vars", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   variables: { LOG_LEVEL: "debug", FEATURE_CHECKOUT: "on" },
 *   secrets: { DATABASE_URL: config.requireSecret("databaseUrl") },
 *   services: ["web", "worker"],
 *   scopes: { FEATURE_CHECKOUT: ["web"] },
 * });
 * ```
 */
export class EnvVarSet extends dynamic.EnvVarSet {
  protected static override readonly host = nativeHost;
}
