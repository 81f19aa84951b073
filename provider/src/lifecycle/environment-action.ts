import * as z from "zod";
import type { Context } from "../framework/context";
import { environmentIdField } from "../framework/environment-id";
import { PartialFailureError } from "../framework/partial-failure";
import { withoutNil } from "../framework/properties";
import { defineResource } from "../framework/resource";
import { UnansweredError } from "../environment/unanswered";
import { performOnce } from "./send-once";

const inputs = z.strictObject({
  environmentId: environmentIdField,
  action: z
    .enum(["stop", "restart", "rebuild", "revive", "cancel"])
    .describe("What to do with the environment; `cancel` ends its latest build in flight."),
  triggers: z.record(z.string(), z.string()).optional().describe("Any change of this map does the action again."),
});

/** Something done to an environment once, and again when its triggers change. */
export const environmentAction = defineResource({
  type: "EnvironmentAction",
  description:
    "Does something to an environment once, and again when `triggers` or the action change. A refresh never repeats it, " +
    "and destroying the resource changes nothing on the service. A refused action is an error with the service's reason.",
  inputs,
  state: inputs.extend({}),
  replaceOnChanges: ["environmentId"],
  stored: z.looseObject({ action: z.string().optional() }),
  importDescription:
    "The service keeps no record of an action that was done, so there is nothing to find: declare it in the program.",

  async create(ctx, input) {
    const id = `${input.environmentId}/${ctx.randomId()}`;
    await perform(ctx, id, { ...input, isRepeated: false });
    return { id, state: { ...input } };
  },

  read: (_ctx, _id, old) => Promise.resolve(old),

  async update(ctx, id, input, old) {
    await perform(ctx, id, { ...input, isRepeated: old["action"] === undefined });
    return { ...input };
  },

  incomplete: (old) =>
    old["action"] === undefined
      ? [
          `environment ${String(old["environmentId"])}: it is not known whether the action was done; run \`pulumi up\` to finish.`,
        ]
      : [],

  delete: () => Promise.resolve(),
});

/** Of an action that may have been done state has all but its name: so the next `up` has it to do, also after a refresh. */
async function perform(
  ctx: Context,
  id: string,
  { isRepeated, ...input }: z.output<typeof inputs> & { readonly isRepeated: boolean },
): Promise<void> {
  const { action, ...rest } = input;
  try {
    await performOnce(ctx, { environmentId: input.environmentId, action, isRepeated });
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error;
    throw new PartialFailureError(id, withoutNil(rest), [error.message]);
  }
}
