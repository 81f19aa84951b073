import * as z from "zod";
import { environmentIdField } from "../core/environment-id";
import { defineResource } from "../core/resource";
import { performOnce } from "./lifecycle/send-once";

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
    await performOnce(ctx, input.environmentId, input.action);
    return { id: `${input.environmentId}/${ctx.randomId()}`, state: { ...input } };
  },

  read: (_ctx, _id, old) => Promise.resolve(old),

  async update(ctx, _id, input) {
    await performOnce(ctx, input.environmentId, input.action);
    return { ...input };
  },

  delete: () => Promise.resolve(),
});
