import type { EnvVarList, EnvVar } from "../client/env-vars";
import { NotFoundError, UndocumentedNotFoundError, CancelledError } from "../client/errors";
import type { Context } from "../framework/context";
import { deletedEnvironment, getUnlessGone, missingEnvironment, refuseUnlessAnswering, warnOfGone } from "./gone";
import type { MissingError } from "../framework/partial-failure";
import { abortable } from "../client/concurrency";
import type { SharedVariables, VariablesByName } from "../framework/environment-session";
import type { Clock } from "../client/clock";

/**
 * An environment's variables, or why it has none. It is gone when its own GET tells so, and deleted when that says
 * `deleted: true` while `/env-vars` has the documented 404 answer. Any other 404 for the variables of an
 * environment that exists is an error, because taking it for "gone" would drop resources from state.
 */
export async function listVariables(ctx: Context, environmentId: string): Promise<EnvVarList | "gone" | "deleted"> {
  try {
    return await ctx.client.envVars.list(environmentId, { signal: ctx.signal });
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof UndocumentedNotFoundError)) throw error;
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined) return "gone";
    if (!environment.deleted || !(error instanceof NotFoundError)) throw error;
    await refuseUnlessAnswering(ctx, error);
    return "deleted";
  }
}

/** Why the variables of an environment cannot be listed, as the last look of this run says. */
class LastLook {
  isDeleted = false;
}

/** The error when {@link readShared} finds no variables. `outcome` is what was done by now, as a sentence. */
export function unavailableVariables(ctx: Context, environmentId: string, outcome: string): MissingError {
  const { isDeleted } = ctx.environment(environmentId).part(LastLook);
  return isDeleted ? deletedEnvironment(ctx, environmentId, outcome) : missingEnvironment(ctx, environmentId, outcome);
}

/** Variables as the service listed them, by name. */
export function byName(listed: readonly EnvVar[]): VariablesByName {
  return new Map(listed.map((item) => [item.name, item]));
}

/** Lists an environment's variables, or `undefined` when it is gone or deleted: see {@link listVariables}. */
export async function listUnlessGone(ctx: Context, environmentId: string): Promise<readonly EnvVar[] | undefined> {
  const found = await listVariables(ctx, environmentId);
  ctx.environment(environmentId).part(LastLook).isDeleted = found === "deleted";
  return typeof found === "string" ? undefined : found.variables;
}

/** As {@link listUnlessGone}. Warns when the environment is gone; one that is marked as deleted is no news. */
export async function listOrWarn(ctx: Context, environmentId: string): Promise<readonly EnvVar[] | undefined> {
  const found = await listUnlessGone(ctx, environmentId);
  if (found === undefined) warnUnlessDeleted(ctx, environmentId);
  return found;
}

/** As {@link readShared}. Warns when the environment is gone; one that is marked as deleted is no news. */
export async function readOrWarn(
  ctx: Context,
  environmentId: string,
  by: "reading" | "deleting" = "reading",
): Promise<VariablesByName | undefined> {
  const found = await readShared(ctx, environmentId, by);
  if (found === undefined) warnUnlessDeleted(ctx, environmentId);
  return found;
}

function warnUnlessDeleted(ctx: Context, environmentId: string): void {
  if (!ctx.environment(environmentId).part(LastLook).isDeleted) warnOfGone(ctx, environmentId);
}

/**
 * The environment's variables by name, or `undefined` when it is gone. Callers at about the same time share one request; `by` says
 * with whom.
 */
export async function readShared(
  ctx: Context,
  environmentId: string,
  by: "reading" | "deleting" = "reading",
): Promise<VariablesByName | undefined> {
  const load = async (): Promise<VariablesByName | undefined> => {
    const listed = await listUnlessGone(ctx, environmentId);
    return listed && byName(listed);
  };
  const read = (): Promise<VariablesByName | undefined> => {
    const shared = ctx.environment(environmentId)[by].get(load);
    return abortable(shared, ctx.signal, "cancelled while waiting for a request that several variables share");
  };
  try {
    return await read();
  } catch (error) {
    // The caller that began the read was cancelled. This one was not: it reads once more.
    if (error instanceof CancelledError && !ctx.signal.aborted) return read();
    throw error;
  }
}

/** Rules for a name, before any request: it becomes a path segment of DELETE and a name in a shell. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "has an empty name";
  if (name === "." || name === "..")
    return 'must not be "." or "..", which would address another resource of the service';
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  if (/[\u0000-\u001F\u007F-\u009F]/u.test(name)) return "has a control character in its name";
  return undefined;
}

/** A shared read is given out again while somebody asks for it at least this often ... */
const IDLE_MS = 2_000;
/** ... and never longer than this after it was made. */
const MAX_MS = 60_000;

interface Entry {
  readonly madeAt: number;
  askedAt: number;
  /** Writes of this process that nobody has asked for yet; `undefined` for what was deleted. */
  readonly later: Map<string, EnvVar | undefined>;
  /** What was read, with earlier writes in it; `undefined` as long as there were none. */
  merged: Map<string, EnvVar> | undefined;
  readonly items: Promise<VariablesByName | undefined>;
}

/** @see SharedVariables */
export class SharedRead implements SharedVariables {
  readonly #clock: Clock;
  #entry: Entry | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get(load: () => Promise<VariablesByName | undefined>): Promise<VariablesByName | undefined> {
    const entry = this.#valid() ?? this.#load(load);
    entry.askedAt = this.#clock.now();
    const items = await entry.items;
    if (items === undefined) return undefined;
    if (entry.later.size === 0) return entry.merged ?? items;
    // One copy for all who ask: with a copy each, N resources would cost N times N.
    entry.merged ??= new Map(items);
    for (const [name, value] of entry.later) {
      if (value === undefined) entry.merged.delete(name);
      else entry.merged.set(name, value);
    }
    entry.later.clear();
    return entry.merged;
  }

  merge(name: string, value: EnvVar | undefined): void {
    this.#entry?.later.set(name, value);
  }

  drop(): void {
    this.#entry = undefined;
  }

  #valid(): Entry | undefined {
    const entry = this.#entry;
    const now = this.#clock.now();
    if (entry === undefined || now - entry.askedAt > IDLE_MS || now - entry.madeAt > MAX_MS) return undefined;
    return entry;
  }

  #load(load: () => Promise<VariablesByName | undefined>): Entry {
    const now = this.#clock.now();
    const items = load();
    const entry: Entry = { madeAt: now, askedAt: now, later: new Map(), merged: undefined, items };
    this.#entry = entry;
    // A failed read is shared by those who wait for it, and by nobody after them.
    items.catch(() => {
      if (this.#entry === entry) this.#entry = undefined;
    });
    return entry;
  }
}
