// Generated from provider/src/lifecycle/snapshot-load.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import { PreviewenvResource } from "../runtime/resource";

/** What a program passes to {@link SnapshotLoad}. */
export interface SnapshotLoadArgs {
  /** The environment that the snapshot is loaded into, by its UUID. Changing it replaces the resource. */
  environmentId: pulumi.Input<string>;
  /** Sequence number of the snapshot. */
  sequenceNumber: pulumi.Input<number>;
  /** The environment of which the snapshot was made. Left out: `environmentId`. */
  sourceEnvironmentId?: pulumi.Input<string>;
  /** Any change of this map loads the snapshot again. */
  triggers?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
}

/**
 * Loads a snapshot into an environment, and loads it again when an input changes. A refresh never repeats it, and
 * destroying the resource changes nothing on the service.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#snapshotload}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * new previewenv.SnapshotLoad("data", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   sequenceNumber: 7,
 * });
 * ```
 */
export class SnapshotLoad extends PreviewenvResource {
  /** The environment that the snapshot is loaded into, by its UUID. */
  declare public readonly environmentId: pulumi.Output<string>;
  /** Sequence number of the snapshot. */
  declare public readonly sequenceNumber: pulumi.Output<number>;
  /** The environment of which the snapshot was made. Left out: `environmentId`. */
  declare public readonly sourceEnvironmentId: pulumi.Output<string | undefined>;
  /** Any change of this map loads the snapshot again. */
  declare public readonly triggers: pulumi.Output<{ [key: string]: string } | undefined>;

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: SnapshotLoadArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "SnapshotLoad",
      name,
      args,
      {
        outputs: ["environmentId", "sequenceNumber", "sourceEnvironmentId", "triggers"],
        kinds: { environmentId: "required", sequenceNumber: "required", triggers: "map" },
        secrets: [],
        internals: [],
      },
      opts,
    );
  }
}
