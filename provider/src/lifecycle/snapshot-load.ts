import * as z from "zod";
import { environmentForPreview } from "../environment/preview-reads";
import { sendOnce } from "../environment/send-once";
import type { Context } from "../framework/context";
import { defineResource } from "../framework/resource";
import { environmentIdField } from "../framework/fields";
import { oneTimeRequest } from "./one-time-request";

const inputs = z.strictObject({
  environmentId: environmentIdField.describe("UUID of the environment that gets the snapshot."),
  sequenceNumber: z.int().positive().describe("Sequence number of the snapshot."),
  sourceEnvironmentId: environmentIdField
    .optional()
    .describe("UUID of the environment that the snapshot comes from. Default: `environmentId`."),
  triggers: z
    .record(z.string(), z.string())
    .optional()
    .describe("If this map changes, the resource loads the snapshot again."),
});

/** A snapshot loaded into an environment. */
export const snapshotLoad = defineResource({
  type: "SnapshotLoad",
  description:
    "Loads a snapshot into an environment, and loads it again when an input changes. A refresh never repeats it. A destroy " +
    "changes nothing on the service.",
  inputs,
  state: inputs.extend({}),
  importDescription: "The service keeps no record of snapshot loads.",

  async previewCheck(ctx, { inputs: { environmentId = "" } }) {
    const { deleted } = await environmentForPreview(ctx, environmentId);
    return deleted
      ? [
          `environment ${ctx.client.titleOf(environmentId)} is deleted: the service may refuse to load a snapshot there.`,
        ]
      : [];
  },

  ...oneTimeRequest({ marker: "sequenceNumber", effect: "the snapshot was loaded", perform }),
});

async function perform(ctx: Context, input: z.output<typeof inputs>): Promise<void> {
  const { environmentId, sequenceNumber, sourceEnvironmentId } = input;
  const snapshot = { sequenceNumber, sourceApplicationId: sourceEnvironmentId };
  // A read can be repeated: an outage, a wrong token and an environment that is gone show in it, before the load is sent.
  await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  await sendOnce(ctx, {
    environmentId,
    // The service may begin to work on the environment. That proves nothing: anybody's build looks the same.
    sending: ctx.client.environments.loadSnapshot(environmentId, snapshot, { signal: ctx.signal }),
    advice: "Look at the environment first: the next `pulumi up` loads the snapshot again.",
  });
}
