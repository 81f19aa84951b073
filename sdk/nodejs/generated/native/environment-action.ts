// Generated from provider/src/lifecycle/environment-action.ts by `npm run generate`. Do not edit.

import * as dynamic from "../environment-action";
import { nativeHost } from "../../runtime/host";

/**
 * Does an action on an environment once, and again when `action` or `triggers` change. A refresh never repeats it,
 * and destroying the resource changes nothing on the service. When the service refuses the action, the error has
 * the service's reason.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#environmentaction}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * new previewenv.EnvironmentAction("rebuild", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   action: "rebuild",
 *   triggers: { image: "registry.example.com/shop:2.4.1" }, // another image: another rebuild
 * });
 * ```
 */
export class EnvironmentAction extends dynamic.EnvironmentAction {
  protected static override readonly host = nativeHost;
}
