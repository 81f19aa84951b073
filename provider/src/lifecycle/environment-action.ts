import * as z from "zod";
import { type Action, ACTIONS, type Environment } from "../client/environments";
import { environmentForPreview } from "../environment/preview-reads";
import { sendOnce } from "../environment/send-once";
import type { Context } from "../framework/context";
import { describedEnum, environmentIdField, fieldFacts } from "../framework/fields";
import type { Properties } from "../framework/properties";
import { defineResource } from "../framework/resource";
import { oneTimeRequest } from "./one-time-request";
import { stateOf } from "../environment/running-state";

const actionField = describedEnum(ACTIONS, {
  stop: "Stops the environment.",
  restart: "Starts a retired environment. The service may refuse this if the environment is only stopped.",
  rebuild: "Builds the environment again, with its current branches and variables.",
  revive: "Brings a deleted environment back.",
  cancel: "Ends the latest build that is running.",
});

const inputs = z.strictObject({
  environmentId: environmentIdField,
  action: actionField.describe("The action to send."),
  triggers: z
    .record(z.string(), z.string())
    .optional()
    .describe("If this map changes, the resource sends the action again."),
});

/**
 * Whether an environment is as an action leaves it, and what that is called. Somebody else may have brought it there: then there is nothing
 * left to ask for, and the service would refuse the action. A rebuild has no such mark, since a build that is seen may be anybody's.
 */
const DONE: Readonly<Partial<Record<Action, readonly [(environment: Environment) => boolean, string]>>> = {
  stop: [(environment) => stateOf(environment) === "stopped", "does not run"],
  restart: [(environment) => stateOf(environment) === "running", "runs"],
  revive: [({ deleted }) => !deleted, "is not deleted"],
  cancel: [({ processing }) => !processing, "has no build that is running"],
};

/** Why the service may refuse an action, by its specification's table. */
function refusedBecause(action: Action, environment: Environment): string | undefined {
  const [isDone, text] = DONE[action] ?? [];
  if (isDone?.(environment) === true) return text;
  if (environment.deleted && action !== "revive") return "is deleted";
  return action === "restart" && !environment.retired ? "is stopped, but not retired" : undefined;
}

/** Something done to an environment once, and again when its triggers change. */
export const environmentAction = defineResource({
  type: "EnvironmentAction",
  description:
    "Sends an action to an environment once, and again when `action` or `triggers` change. A refresh never repeats it. A destroy " +
    "changes nothing on the service. If the service refuses the action, the error contains its reason.",
  inputs,
  state: inputs.extend({
    unanswered: z
      .string()
      .optional()
      .describe("Bookkeeping: the action, while it is not known whether the service has done it.")
      .register(fieldFacts, { internal: true }),
  }),
  importDescription: "The service keeps no record of actions.",

  async previewCheck(ctx, { inputs: { environmentId = "", action }, state }) {
    const environment = await environmentForPreview(ctx, environmentId);
    const reason = action && refusedBecause(action, environment);
    if (reason === undefined || isDoneSince(state, action, environment)) return [];
    return [
      `environment ${ctx.client.titleOf(environmentId)} ${reason}: unless something of this program changes that before, the service may ` +
        `refuse the action \`${action}\`. If a run that was killed has already done it, remove the resource from the program.`,
    ];
  },

  ...oneTimeRequest({ marker: "action", unansweredName: "unanswered", effect: "the action was done", perform }),
});

/** Whether nothing is left to do of a request that an earlier `up` made, and that got no answer: the service would refuse it now. */
function isDoneSince(old: Properties | undefined, action: Action | undefined, environment: Environment): boolean {
  if (action === undefined || old?.["unanswered"] !== action) return false;
  return DONE[action]?.[0](environment) === true;
}

async function perform(
  ctx: Context,
  { environmentId, action }: z.output<typeof inputs>,
  old?: Properties,
): Promise<void> {
  const environment = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  if (isDoneSince(old, action, environment)) return;
  const [isFulfilled] = DONE[action] ?? [];
  await sendOnce(ctx, {
    environmentId,
    sending: ctx.client.environments.act(action, environmentId, { signal: ctx.signal, repeatable: false }),
    ...(isFulfilled?.(environment) === false && { isFulfilled }),
    advice: "The next `pulumi up` does the action again, unless the environment is already as the action leaves it.",
  });
}
