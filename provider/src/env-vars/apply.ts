import type { Context } from "../framework/context";
import type { OwnedNames } from "../framework/environment-session";
import { nameList } from "../framework/names";
import { PartialFailureError } from "../framework/partial-failure";
import type { Properties } from "../framework/properties";
import { carried } from "./carried";
import { beforeWrite } from "./answer";
import { type Admission, admit } from "./conflict";
import { isTriggered, type Plan, plan } from "./plan";
import { type Removed, removeVariables } from "./remove";
import { count, failureText } from "./report";
import { type Declaration, declared, known, toState } from "./set-state";
import { standIn } from "./placeholder";
import type { KnownVariable, Variable } from "./variable";
import { type Written, writeVariables } from "./write";

const UNKNOWN_VALUE =
  "not sent, because its value is not known (a refresh or an import left a stand-in in its place): " +
  "declare the value in the program, and take the name out of ignoreChanges";

/** Everything that happened to a set's variables in one create or update. */
interface Done {
  readonly plan: Plan;
  readonly admission: Admission;
  readonly written: Written;
  readonly removed: Removed;
  /** Whether the service has something else now than before. */
  readonly touched: boolean;
}

/**
 * Brings an environment to what a set declares, starting from what state knows, and returns the new state. Writes come
 * before deletes, so that no moment lacks a variable that only changed its name or its place.
 * @throws PartialFailureError with exact state when some names were refused.
 * @throws whatever ended the writing, when nothing was done at all: state stays as it was.
 */
export async function applySet(
  ctx: Context,
  input: Declaration & Properties & { readonly onConflict: "fail" | "overwrite" },
  old: Properties = {},
): Promise<Properties> {
  const { environmentId } = input;
  const owners = ctx.environment(environmentId).variables;
  const before = withoutDeleted(owners, known(old));
  const wanted = declared(input);
  const steps = plan(wanted, before, input, isTriggered(old, input));

  const admission = await admit(ctx, environmentId, steps.added, input.onConflict);
  const write = steps.send.filter(({ name }) => !admission.taken.has(name));
  const earlier = beforeWrite(before.values(), admission.before);
  const written = await writeVariables(ctx, environmentId, write, earlier);
  const { stored, uncertain } = written;
  const isHeld = (name: string): boolean =>
    stored.has(name) || uncertain.has(name) || admission.taken.has(name) || before.has(name);
  const held = wanted.filter(({ name }) => isHeld(name));
  owners.take(held.map(({ name }) => name));
  const removed = await removeVariables(ctx, environmentId, written.halted === undefined ? steps.remove : []);

  const touched = written.stored.size + written.uncertain.size + removed.deleted.size > 0;
  const done = { plan: steps, admission, written, removed, touched };
  const revision = touched || old["revision"] === undefined ? ctx.randomId() : old["revision"];
  const failed = failures(done);
  // What was to go stays as well when an earlier write ended the writing.
  const open = new Set([...failed.keys(), ...(failed.size > 0 ? staying(done) : [])]);
  const isUnfinished = failed.size > 0 && old["revision"] !== undefined;
  const variables = after(wanted, before, done).map((one) => marked(one, isUnfinished ? before : undefined));
  const state = toState(input, variables, revision, [...open]);
  if (failed.size > 0) report(environmentId, done, failed, state);
  return state;
}

/** Notes whether the engine's inputs have the variable as a secret: after an unfinished update they are the old ones. */
function marked(
  { isUnmarked: _earlier, ...one }: KnownVariable,
  inputs?: ReadonlyMap<string, KnownVariable>,
): KnownVariable {
  const earlier = inputs?.get(one.name);
  const isMarked = inputs === undefined || (earlier?.hidden === true && earlier.isUnmarked !== true);
  return one.hidden && !isMarked ? { ...one, isUnmarked: true } : one;
}

/** What another resource of this run took away counts as not written. */
function withoutDeleted(
  owners: OwnedNames,
  before: ReadonlyMap<string, KnownVariable>,
): ReadonlyMap<string, KnownVariable> {
  return new Map([...before].map(([name, one]) => [name, owners.isDeleted(name) ? { ...one, owed: true } : one]));
}

/** The variables as they are after the writes: what was stored is new, what failed is as it was. */
function after(
  wanted: readonly Variable[],
  before: ReadonlyMap<string, KnownVariable>,
  done: Done,
): readonly KnownVariable[] {
  const { plan: steps, admission, written } = done;
  const blocked = new Set(steps.blocked.map(({ name }) => name));
  const now = wanted.flatMap(({ name, hidden }) => {
    const stored = written.stored.get(name) ?? admission.taken.get(name);
    if (stored !== undefined) return [stored];
    const earlier = written.uncertain.get(name) ?? before.get(name);
    if (earlier === undefined) return [];
    const kept = earlier.hidden === hidden ? earlier : withoutValue(earlier);
    return [{ ...kept, owed: written.failed.has(name) || blocked.has(name) }];
  });
  return [
    ...now,
    ...staying(done)
      .flatMap((name) => before.get(name) ?? [])
      .map(withoutValue),
  ];
}

/** Names that had to go and did not. */
function staying({ plan: { remove }, removed }: Done): readonly string[] {
  return remove.filter((name) => !removed.deleted.has(name) && !removed.left.has(name));
}

/** The engine encrypts an output when the input of the same place is a secret. A name that is not declared in its place
 * any more has no such input: its value must not stand in state, and nobody needs it. */
function withoutValue(one: KnownVariable): KnownVariable {
  return { ...one, value: standIn(one.updatedAt ?? "", "not declared") };
}

/** Reasons by name, without values. */
function failures({ plan: steps, written, removed }: Done): ReadonlyMap<string, string> {
  const blocked = steps.blocked.map(({ name }) => [name, UNKNOWN_VALUE] as const);
  return new Map([...written.failed, ...blocked, ...removed.failed]);
}

function heldText(uncertain: readonly string[]): string {
  if (uncertain.length === 0) return "exactly what the service stored";
  return `what the service stored, and the names that it may have stored (${nameList(uncertain)})`;
}

function droppedText(dropped: readonly string[]): string {
  if (dropped.length === 0) return "";
  const values = dropped.length === 1 ? "a large value is" : `${dropped.length} large values are`;
  return ` An error cannot carry all of it: ${values} left out of state, and written again by the next \`pulumi up\` (${nameList(dropped)}).`;
}

function report(
  environmentId: string,
  { plan: steps, written, touched }: Done,
  failed: ReadonlyMap<string, string>,
  state: Properties,
): never {
  if (!touched && written.halted !== undefined) throw written.halted;
  const total = steps.send.length + steps.blocked.length + steps.remove.length;
  const summary =
    `${failed.size} of ${count(total, "variable")} of environment ${environmentId} could not be written or deleted. ` +
    `State holds ${heldText([...written.uncertain.keys()])}; the next \`pulumi up\` sends only what is missing.`;
  const { state: kept, dropped } = carried(state);
  const text = failureText(summary + droppedText(dropped), failed);
  throw new PartialFailureError(environmentId, kept, [text]);
}
