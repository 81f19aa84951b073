// Generated from provider/src/lifecycle/environment-state.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import { PreviewenvResource } from "../runtime/resource";

/** What a program passes to {@link EnvironmentState}. */
export interface EnvironmentStateArgs {
  /** The environment, by its UUID. Changing it replaces the resource. */
  environmentId: pulumi.Input<string>;
  /**
   * The state that the environment is brought to. `running`: The environment is not stopped, not retired and not
   * deleted. `stopped`: The environment is stopped, retired or deleted.
   */
  state: pulumi.Input<"running" | "stopped">;
  /**
   * How long to wait until the environment's flags show the declared state, in seconds. After that, the `up` fails.
   * @default 1800
   */
  timeoutSeconds?: pulumi.Input<number> | undefined;
}

/**
 * Whether an environment runs. The provider chooses stop, restart, revive or rebuild by the environment's flags.
 * An environment that already has the declared state is left as it is. Destroying the resource changes nothing on
 * the service.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#environmentstate}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * new previewenv.EnvironmentState("awake", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   state: "running",
 * });
 * ```
 */
export class EnvironmentState extends PreviewenvResource {
  /** The environment, by its UUID. */
  declare public readonly environmentId: pulumi.Output<string>;
  /**
   * The state that the environment is brought to. `running`: The environment is not stopped, not retired and not
   * deleted. `stopped`: The environment is stopped, retired or deleted.
   */
  declare public readonly state: pulumi.Output<"running" | "stopped">;
  /** How long to wait until the environment's flags show the declared state, in seconds. After that, the `up` fails. */
  declare public readonly timeoutSeconds: pulumi.Output<number>;
  /** Whether the service is working on the environment. */
  declare public readonly processing: pulumi.Output<boolean>;
  /** Whether the service calls the environment ready. */
  declare public readonly ready: pulumi.Output<boolean>;
  /** Whether the environment is retired: it does not run until it is restarted. */
  declare public readonly retired: pulumi.Output<boolean>;
  /** Whether the environment is marked as deleted: it does not run until it is revived. */
  declare public readonly deleted: pulumi.Output<boolean>;
  /** Whether the environment is stopped: it does not run until it is started. */
  declare public readonly stopped: pulumi.Output<boolean>;

  /**
   * Looks at one that exists and is managed elsewhere: nothing is written, nothing deleted. `id` is what an import
   * takes: `<environmentId>`. With `state` it is looked at as if these were its inputs. Without `state`, its inputs
   * are what an import would find.
   */
  public static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<EnvironmentStateArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): EnvironmentState {
    return Reflect.construct(this, [name, { ...state }, { ...opts, id }]);
  }

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: EnvironmentStateArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "EnvironmentState",
      name,
      args,
      {
        outputs: ["environmentId", "state", "timeoutSeconds", "processing", "ready", "retired", "deleted", "stopped"],
        kinds: { environmentId: "required", state: "required", timeoutSeconds: "default" },
        secrets: [],
        internals: [],
        exclusive: { kind: "state", stops: { input: "state", value: "stopped" } },
      },
      opts,
    );
  }
}
