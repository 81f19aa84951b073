import * as z from "zod";
import type { Context } from "../framework/context";
import { PartialFailureError } from "../framework/partial-failure";
import { withoutNil } from "../framework/properties";
import { defineResource } from "../framework/resource";
import { UnansweredError } from "../environment/unanswered";
import { buildBegan, sendOnce } from "./send-once";

const inputs = z.strictObject({
  environmentId: z.guid().describe("The environment that the snapshot is loaded into, by its UUID."),
  sequenceNumber: z.int().positive().describe("Sequence number of the snapshot."),
  sourceEnvironmentId: z
    .guid()
    .optional()
    .describe("The environment that the snapshot is of, when it is another one than `environmentId`."),
  triggers: z.record(z.string(), z.string()).optional().describe("Any change of this map loads the snapshot again."),
});

/** A snapshot loaded into an environment. */
export const snapshotLoad = defineResource({
  type: "SnapshotLoad",
  description:
    "Queues the load of a snapshot into an environment, and queues it again when an input changes. A refresh never " +
    "repeats it, and destroying the resource changes nothing on the service.",
  inputs,
  state: inputs.extend({}),
  replaceOnChanges: ["environmentId"],
  stored: z.looseObject({ sequenceNumber: z.number().optional() }),
  importDescription:
    "The service keeps no record of a load that was queued, so there is nothing to find: declare it in the program.",

  async create(ctx, input) {
    const id = `${input.environmentId}/${ctx.randomId()}`;
    await load(ctx, id, input);
    return { id, state: { ...input } };
  },

  read: (_ctx, _id, old) => Promise.resolve(old),

  async update(ctx, id, input) {
    await load(ctx, id, input);
    return { ...input };
  },

  incomplete: (old) =>
    old["sequenceNumber"] === undefined
      ? [
          `environment ${String(old["environmentId"])}: it is not known whether the snapshot was loaded; run \`pulumi up\` to finish.`,
        ]
      : [],

  delete: () => Promise.resolve(),
});

/** Of a load that may have been queued state has all but the number: so the next `up` has it to do, also after a refresh. */
async function load(ctx: Context, id: string, input: z.output<typeof inputs>): Promise<void> {
  const { environmentId, sequenceNumber, sourceEnvironmentId, triggers } = input;
  const snapshot = { sequenceNumber, sourceApplicationId: sourceEnvironmentId };
  try {
    await sendOnce(ctx, {
      environmentId,
      builds: true,
      // The service has no list of loads: all that can be seen of one is that it works on the environment.
      shows: buildBegan,
      send: () => ctx.client.environments.loadSnapshot(environmentId, snapshot, { signal: ctx.signal }),
      advice: "Look at the environment first: the next `pulumi up` loads the snapshot again.",
    });
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error;
    throw new PartialFailureError(id, withoutNil({ environmentId, sourceEnvironmentId, triggers }), [error.message]);
  }
}
