// Generated from provider/src/lifecycle/snapshot-load.ts by `npm run generate`. Do not edit.

import * as dynamic from "../snapshot-load";
import { nativeHost } from "../../runtime/host";

/**
 * Loads a snapshot into an environment, and loads it again when an input changes. A refresh never repeats it, and
 * destroying the resource changes nothing on the service.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#snapshotload}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * new previewenv.SnapshotLoad("data", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   sequenceNumber: 7,
 * });
 * ```
 */
export class SnapshotLoad extends dynamic.SnapshotLoad {
  protected static override readonly host = nativeHost;
}
