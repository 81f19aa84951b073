import { PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import { nameList, shortNameList } from "../client/error-text";
import type { Properties } from "../framework/properties";
import type { Written } from "../framework/resource";
import type { Done, Order } from "./apply";
import { handOver } from "./hand-over";
import { failureText, setStateForError, UNKNOWN_VALUE, variableCount } from "./report";
import type { OnConflict } from "./on-conflict";
import { isExisting, isPlaceholder, NOT_DECLARED, placeholder } from "./placeholder";
import { given, type KnownVariable } from "./variable";
import { afterWrite, hasChanged, type Outcome } from "./write";
import { isDue, isRemoval, type Step, type UndeclaredStep } from "./plan";
import { noted } from "./unmarked-secrets";
import { type Declaration, known as variablesOf, targetOf, toState, unfinished } from "./set-state";

/**
 * Brings an environment to what a set declares, starting from what state knows. What some names were refused for is open.
 * @throws whatever ended the writing, when nothing was done at all: state stays as it was.
 */
export async function updateSet(
  ctx: Context,
  input: Declaration & Properties & { readonly onConflict: OnConflict },
  old: Properties = {},
): Promise<Written> {
  const { environmentId, onConflict } = input;
  const isCreate = old["revision"] === undefined;
  const [known, target] = [variablesOf(old), targetOf(old, input)];
  const order = { ctx, environmentId, onConflict, isCreate, by: "update", known, target } as const;
  let done: Done;
  try {
    done = await handOver(order);
  } catch (error) {
    return nothingDone(order, old, error);
  }
  const { steps, outcome } = done;
  const failed = failures(done);
  // What was found and not written is in state all the same: whoever had it before has given it up.
  const isNothingDone = !hasChanged(outcome) && outcome.adopted.size + outcome.found.size === 0;
  if (failed.size > 0 && isNothingDone && outcome.abortedBy !== undefined)
    return nothingDone(order, old, outcome.abortedBy);
  const revision = hasChanged(outcome) || old["revision"] === undefined ? ctx.randomId() : old["revision"];
  // After an update that failed in part the engine still has the inputs from before; after a create it has the new ones.
  const hasOldInputs = failed.size > 0 && old["revision"] !== undefined;
  const now = steps.flatMap((step) => after(step, outcome).map((one) => noted(one, step, hasOldInputs)));
  const open = failed.size > 0 ? steps.filter((step) => failed.has(step.name) || isNotDeleted(step, outcome)) : [];
  const reasons = new Map(open.map((step) => [step.name, step.reasons[0] ?? ""]));
  const state = toState(input, now, revision, reasons);
  sayWhatWasDone(ctx, environmentId, done);
  return failed.size > 0 ? report(ctx, environmentId, done, { failed, state }) : { id: environmentId, state };
}

/**
 * An update that has done nothing. State stays as it was, without what an import of this run has only looked at: the next `up` would
 * take that for the set's own, and delete it.
 * @throws the error where nothing was looked at
 */
function nothingDone({ ctx, environmentId }: Order, old: Properties, error: unknown): Written {
  const { variables } = ctx.environment(environmentId);
  const before = [...variablesOf(old).values()];
  const own = before.filter(({ name }) => !variables.isOnlyLookedAt(name));
  if (!(error instanceof PreviewenvError) || own.length === before.length) throw error;
  return { id: environmentId, state: toState(old, own, old["revision"], unfinished(old)), open: [error.message] };
}

/** One line, such as `environment …: 3 written (A, B, C), 1 deleted (D)`. */
function sayWhatWasDone(ctx: Context, environmentId: string, { steps, outcome }: Done): void {
  const done = [
    ["written", steps.filter(({ name, wanted }) => wanted !== undefined && outcome.stored.has(name))],
    ["deleted", steps.filter(({ name }) => outcome.deleted.has(name))],
  ] as const;
  const parts = done.flatMap(([what, those]) =>
    those.length === 0 ? [] : [`${those.length} ${what} (${shortNameList(those.map(({ name }) => name))})`],
  );
  if (parts.length > 0) ctx.log.info(`environment ${ctx.client.titleOf(environmentId)}: ${parts.join(", ")}`);
}

/** A variable as state has it after the writes: what was stored is new, what failed is as it was. */
function after(step: Step, outcome: Outcome): readonly KnownVariable[] {
  const { wanted, known } = step;
  if (wanted === undefined) return afterRemoval(step, outcome);
  const now = afterWrite(step, outcome);
  if (now !== undefined) return [now];
  if (known === undefined) return [];
  if (known.isGiven === true) return [known];
  // The engine would not encrypt the value: its input is the placeholder.
  if (isPlaceholder(wanted.value)) return [{ ...known, hidden: wanted.hidden, value: wanted.value }];
  return [known.hidden === wanted.hidden ? known : withoutValue(known)];
}

/** What stays of a name that is not declared any more. */
function afterRemoval(step: UndeclaredStep, outcome: Outcome): readonly KnownVariable[] {
  const { name, known } = step;
  if (!isRemoval(step) || outcome.deleted.has(name) || outcome.left.has(name)) return [];
  // What was given away, and has been written since, is another resource's.
  if (known.isGiven === true) return outcome.writtenSince.has(name) ? [] : [known];
  return outcome.given.has(name) ? [given(name, known.updatedAt ?? "")] : [withoutValue(known)];
}

/** Whether a name had to go, and is still there: a write before it failed, or the DELETE did. */
function isNotDeleted({ what, name }: Step, { deleted, left, given: givenAway }: Outcome): boolean {
  return what === "delete" && ![deleted, left, givenAway].some((names) => names.has(name));
}

/** The engine encrypts an output when the input of the same place is a secret. A name that is not declared in its place
 * any more has no such input: its value must not be in state, and nobody needs it. */
function withoutValue(one: KnownVariable): KnownVariable {
  if (isExisting(one.value)) return one;
  return { ...one, value: placeholder(one.updatedAt ?? "", NOT_DECLARED) };
}

/** Reasons by name, without values. */
function failures({ steps, outcome }: Done): ReadonlyMap<string, string> {
  const blocked = steps.filter(({ what }) => what === "blocked").map(({ name }) => [name, UNKNOWN_VALUE] as const);
  // What was given away stays so: its delete is tried again with the next update.
  const givenAway = new Set(steps.flatMap(({ what, name }) => (what === "given" ? [name] : [])));
  return new Map([...[...outcome.failed].filter(([name]) => !givenAway.has(name)), ...blocked]);
}

function heldText(uncertain: readonly string[]): string {
  if (uncertain.length === 0) return "exactly what the service stored";
  return `what the service stored, and the names that it may have stored (${nameList(uncertain)})`;
}

function droppedText(dropped: readonly string[]): string {
  if (dropped.length === 0) return "";
  const values = dropped.length === 1 ? "the value of one variable" : `the values of ${dropped.length} variables`;
  return ` Pulumi cannot take so much state with an error, so ${values} had to be left out: ${nameList(dropped)}. The next \`pulumi up\` writes them again.`;
}

function report(
  ctx: Context,
  environmentId: string,
  { steps, outcome }: Done,
  { failed, state }: { readonly failed: ReadonlyMap<string, string>; readonly state: Properties },
): Written {
  const summary =
    `${failed.size} of ${variableCount(steps.filter(isDue).length)} of environment ${ctx.client.titleOf(environmentId)} could not be written or deleted. ` +
    `State holds ${heldText([...outcome.uncertain.keys()])}; the next \`pulumi up\` sends only what is missing.`;
  const { state: kept, dropped } = setStateForError(state);
  const text = failureText(summary + droppedText(dropped), failed);
  return { id: environmentId, state: kept, open: [text] };
}
