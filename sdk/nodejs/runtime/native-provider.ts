import { nativeHost } from "./native-host";
import * as dynamic from "./provider";

/**
 * Settings for the resources and functions of the plugin that it is given to as `provider`, such as a second
 * organization's token. Settings that it is not given come from stack config; environment variables are read by the plugin
 * itself.
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
export class Provider extends dynamic.Provider {
  protected static override readonly host = nativeHost;
}
