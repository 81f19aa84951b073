import { nativeHost } from "./host";
import * as dynamic from "./provider";

/**
 * Settings for some resources and functions of the plugin, such as the token of a second organization. Pass it to them as
 * the option `provider`. A setting that is left out comes from stack config, or else from its environment variable,
 * which the plugin reads.
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv-native";
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
export class Provider extends dynamic.Provider {
  protected static override readonly host = nativeHost;
}
