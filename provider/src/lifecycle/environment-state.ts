import * as z from "zod";
import { describedEnum, environmentIdField } from "../framework/fields";
import type { Environment } from "../client/environments";
import { MS_PER_SECOND } from "../client/clock";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import { defineResource, type LiveResource } from "../framework/resource";
import { getOrWarn, getUnlessGone } from "../environment/existence";
import { environmentForPreview } from "../environment/preview-reads";
import { readEnvironmentId } from "../environment/import-id";
import { reconcile } from "../environment/reconcile";
import { flagFields, flagsOf, STATES, stateOf } from "../environment/running-state";

const inputs = z.strictObject({
  environmentId: environmentIdField,
  state: describedEnum(STATES, {
    running: "The environment is not stopped, not retired and not deleted.",
    stopped: "The environment is stopped, retired or deleted.",
  }).describe("The state that the environment must have."),
  timeoutSeconds: z
    .int()
    .positive()
    .default(1800)
    .describe(
      "How many seconds to wait until the environment's flags show the declared state. After that time, the `up` fails.",
    ),
});

const IMPORT_FORMAT = "<environmentId>";

/** Whether an environment runs. */
export const environmentState = defineResource({
  type: "EnvironmentState",
  description:
    "Keeps an environment running or stopped. The provider stops, restarts, revives or rebuilds the environment, as its flags require. " +
    "If the environment already has the declared state, the provider does nothing. A destroy changes nothing on the service. If " +
    "the program has an EnvironmentBranches for the same environment, let it depend on this resource (`dependsOn`).",
  inputs,
  state: inputs.extend(flagFields),
  exclusive: { kind: "state", stops: { input: "state", value: "stopped" } },
  importFormat: IMPORT_FORMAT,
  importDescription: "`state` is what the environment's flags show now.",

  apply: bring,

  async read(ctx, id, old) {
    const environment = await getOrWarn(ctx, id);
    if (environment === undefined) return undefined;
    return { id, state: { ...old, environmentId: id, state: stateSeen(environment, old), ...flagsOf(environment) } };
  },

  async import(ctx, id) {
    const environmentId = readEnvironmentId(id, IMPORT_FORMAT);
    const environment = await getUnlessGone(ctx, environmentId);
    return environment && { id, state: { environmentId, state: stateOf(environment), ...flagsOf(environment) } };
  },

  async previewCheck(ctx, { inputs: given, unknowns, state: old }) {
    const { environmentId = "", state: desired } = given;
    // That it exists is all that matters: whatever it is, the provider brings it there.
    if (unknowns.has("state") || old?.["state"] !== desired) await environmentForPreview(ctx, environmentId);
    return [];
  },
});

/** Brings the environment to the declared state. While a request may still take effect, state is as it was read last. */
async function bring(ctx: Context, input: z.output<typeof inputs>): Promise<LiveResource> {
  const { environmentId, state: desired, timeoutSeconds } = input;
  const timeout = { timeoutMs: timeoutSeconds * MS_PER_SECOND, timeoutName: "timeoutSeconds" };
  const { environment, unfinishedReason } = await reconcile(ctx, { environmentId, state: desired, ...timeout });
  const shown = flagsOf(environment);
  if (unfinishedReason === undefined) return { id: environmentId, state: { ...input, ...shown } };
  return {
    id: environmentId,
    state: { ...input, state: stateOf(shown), ...shown },
    unfinishedReasons: [unfinishedReason],
  };
}

/** While the flags are those of the last `up`, so is the state: an answer of the service may have said more than the flags. */
function stateSeen(environment: Environment, old: Properties): unknown {
  const shown = Object.entries(flagsOf(environment));
  return shown.every(([name, value]) => old[name] === value) ? old["state"] : stateOf(environment);
}
