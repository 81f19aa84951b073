import * as z from "zod";
import type { Action, Environment } from "../client/environments";

/** The five flags of an environment. */
export type Flags = Pick<Environment, "processing" | "ready" | "retired" | "deleted" | "stopped">;

/** The flags as outputs. */
export const flagFields = {
  processing: z.boolean().describe("Whether the service is working on the environment."),
  ready: z.boolean().describe("Whether the service reports the environment as ready."),
  retired: z.boolean().describe("Whether the environment is retired: it does not run until it is restarted."),
  deleted: z.boolean().describe("Whether the environment is marked as deleted: it does not run until it is revived."),
  stopped: z.boolean().describe("Whether the environment is stopped: it does not run until it is started."),
};

/** The states that a program may want of an environment. */
export const STATES = ["running", "stopped"] as const;
export type DesiredState = (typeof STATES)[number];

/** Running means not stopped, not retired, not deleted. Whether it is `processing` or `ready` does not matter. */
export function stateOf({ stopped, retired, deleted }: Flags): DesiredState {
  return stopped || retired || deleted ? "stopped" : "running";
}

/**
 * The next action towards a state, or `undefined` when it is reached. The specification's table: revive wants `deleted`,
 * restart wants `retired`, stop wants a running environment, rebuild one that is not deleted. A stopped environment is
 * restarted like a retired one, and rebuilt where the service has refused that ("Environment is not retired").
 */
export function nextAction(flags: Flags, desired: DesiredState, refused: ReadonlySet<Action>): Action | undefined {
  if (stateOf(flags) === desired) return undefined;
  if (desired === "stopped") return "stop";
  if (flags.deleted) return "revive";
  return refused.has("restart") ? "rebuild" : "restart";
}

/** The specification's titles of a 400 that say that an action has nothing to do, and the flags that this means. */
const alreadyThere: ReadonlyMap<Action, { readonly title: string; readonly flags: Partial<Flags> }> = new Map([
  ["stop", { title: "Environment is not running", flags: { stopped: true } }],
  ["restart", { title: "Environment is not retired", flags: { retired: false } }],
  ["revive", { title: "Environment is already active", flags: { deleted: false } }],
]);

/** The flags that a refusal's title contradicts. Nothing when it has no such title. */
export function flagsFromRefusal(action: Action, titles: readonly string[]): Partial<Flags> {
  const refusal = alreadyThere.get(action);
  return refusal !== undefined && titles.includes(refusal.title) ? refusal.flags : {};
}

/** The named flags of an environment, and nothing else of it. */
export function flagsOf({ processing, ready, retired, deleted, stopped }: Flags): Flags {
  return { processing, ready, retired, deleted, stopped };
}
