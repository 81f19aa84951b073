// Generated from provider/src/lifecycle/environment-state.ts by `npm run generate`. Do not edit.

import * as dynamic from "../environment-state";
import { nativeHost } from "../../runtime/host";

/**
 * Whether an environment runs. The provider chooses stop, restart, revive or rebuild by the environment's flags.
 * An environment that already has the declared state is left as it is. Destroying the resource changes nothing on
 * the service.
 * @remarks Import: `pulumi import previewenv:index:EnvironmentState <name> <id>`. The id is `<environmentId>`.
 * `state` is what the environment's flags show now.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#environmentstate}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * new previewenv.EnvironmentState("awake", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   state: "running",
 * });
 * ```
 */
export class EnvironmentState extends dynamic.EnvironmentState {
  protected static override readonly host = nativeHost;
}
