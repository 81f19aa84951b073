// Generated from provider/src/lifecycle/environment-action.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import { PreviewenvResource } from "../runtime/resource";

/** What a program passes to {@link EnvironmentAction}. */
export interface EnvironmentActionArgs {
  /** The environment, by its UUID. Changing it replaces the resource. */
  environmentId: pulumi.Input<string>;
  /**
   * What to do with the environment. `stop`: Stops the environment. `restart`: Starts a retired environment. The
   * service may refuse it for one that is only stopped. `rebuild`: Builds the environment again, with the branches
   * and variables that it has. `revive`: Brings a deleted environment back. `cancel`: Ends the latest build that is
   * running.
   */
  action: pulumi.Input<"stop" | "restart" | "rebuild" | "revive" | "cancel">;
  /** Any change of this map, such as another value of `baseImage`, does the action again. */
  triggers?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
}

/**
 * Does an action on an environment once, and again when `action` or `triggers` change. A refresh never repeats it,
 * and destroying the resource changes nothing on the service. When the service refuses the action, the error has
 * the service's reason.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#environmentaction}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * new previewenv.EnvironmentAction("rebuild", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   action: "rebuild",
 *   triggers: { image: "registry.example.com/shop:2.4.1" }, // another image: another rebuild
 * });
 * ```
 */
export class EnvironmentAction extends PreviewenvResource {
  /** The environment, by its UUID. */
  declare public readonly environmentId: pulumi.Output<string>;
  /**
   * What to do with the environment. `stop`: Stops the environment. `restart`: Starts a retired environment. The
   * service may refuse it for one that is only stopped. `rebuild`: Builds the environment again, with the branches
   * and variables that it has. `revive`: Brings a deleted environment back. `cancel`: Ends the latest build that is
   * running.
   */
  declare public readonly action: pulumi.Output<"stop" | "restart" | "rebuild" | "revive" | "cancel">;
  /** Any change of this map, such as another value of `baseImage`, does the action again. */
  declare public readonly triggers: pulumi.Output<{ [key: string]: string } | undefined>;

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: EnvironmentActionArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "EnvironmentAction",
      name,
      args,
      {
        outputs: ["environmentId", "action", "triggers"],
        kinds: { environmentId: "required", action: "required", triggers: "map" },
        secrets: [],
        internals: ["unanswered"],
      },
      opts,
    );
  }
}
