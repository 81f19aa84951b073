// Generated from provider/src/env-vars/env-var.ts by `npm run generate`. Do not edit.

import * as dynamic from "../env-var";
import { nativeHost } from "../../runtime/host";

/**
 * One environment variable of one environment. Removing the resource from the program deletes the variable on the
 * service, and so does a destroy, unless the value is `existing()`. One read refreshes all EnvVars of an
 * environment. Each is written by a request of its own. For many variables, an EnvVarSet needs fewer requests.
 * @remarks Import: `pulumi import previewenv:index:EnvVar <name> <id>`. The id is `<environmentId>/<NAME>`.
 * Imports one variable of the environment's own list. `NAME` is written as it is, not percent-encoded. A hidden
 * value is imported as `existing()`, and a warning names the variable. Declare the real value, and the next
 * `pulumi up` writes it.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#envvar}
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const config = new pulumi.Config();
 * new previewenv.EnvVar("database-url", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   name: "DATABASE_URL",
 *   value: config.requireSecret("databaseUrl"),
 * });
 * ```
 */
export class EnvVar extends dynamic.EnvVar {
  protected static override readonly host = nativeHost;
}
