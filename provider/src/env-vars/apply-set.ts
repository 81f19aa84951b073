import { nameList, shortNameList } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import type { Written } from "../framework/resource";
import type { OnConflict } from "./comparison";
import { carryOut } from "./order";
import { isDue, isRemoval, type Step, type UndeclaredStep } from "./plan";
import { failureText, variableCount, withoutLargest } from "./report";
import { type Done, hasChanged, isUncertain, type Order, type Result } from "./result";
import { storedVariables, toState, unfinished } from "./set-state";
import { targetOf } from "./set-target";
import { noted } from "./unmarked-secrets";
import { type SetDeclaration, isOwn, type StoredVariable, undeclared } from "./variable";

/**
 * Brings an environment to what a set declares, starting from what state has. What some names were refused for is open.
 * @throws whatever ended the writing, when nothing was done at all: state stays as it was.
 */
export async function applySet(
  ctx: Context,
  input: SetDeclaration & Properties & { readonly onConflict: OnConflict },
  before?: Properties,
): Promise<Written> {
  const { environmentId, onConflict } = input;
  const isCreate = before === undefined;
  const old = before ?? {};
  const [stored, target] = [storedVariables(old), targetOf(old, input)];
  const order = { ctx, environmentId, onConflict, isCreate, by: "update", stored, target } as const;
  let done: Done;
  try {
    done = await carryOut(order);
  } catch (error) {
    return nothingDone(order, old, error);
  }
  const { steps, results, abortedBy } = done;
  const failed = failures(done);
  // What was found and not written is in state all the same: whoever had it before has given it up.
  const isNothingDone = ![...results.values()].some((result) => result.is === "deleted" || "now" in result);
  if (failed.size > 0 && isNothingDone && abortedBy !== undefined) return nothingDone(order, old, abortedBy);
  const revision = hasChanged(done) || isCreate ? ctx.randomId() : old["revision"];
  // After an update that failed in part the engine still has the inputs from before; after a create it has the new ones.
  const hasOldInputs = failed.size > 0 && !isCreate;
  const now = steps.flatMap((step) =>
    after(step, results.get(step.name)).map((variable) =>
      isOwn(variable) ? noted(variable, step, hasOldInputs) : variable,
    ),
  );
  const open = failed.size > 0 ? steps.filter((step) => failed.has(step.name) || isStillThere(step, done)) : [];
  const due = new Map(open.map(({ name, reasons }) => [name, reasons[0] ?? ""]));
  const stateOf = (variables: readonly StoredVariable[]): Properties => toState(input, variables, revision, due);
  sayWhatWasDone(ctx, environmentId, done);
  if (failed.size === 0) return { id: environmentId, state: stateOf(now) };
  const without = withoutLargest(stateOf(now), now);
  return {
    id: environmentId,
    state: stateOf(now.map((variable) => without.get(variable.name) ?? variable)),
    open: [openText(ctx, environmentId, done, { failed, without: [...without.keys()] })],
  };
}

/**
 * An update that has done nothing. State stays as it was, without what an import of this run has only looked at: the next `up` would
 * take that for the set's own, and delete it.
 * @throws the error where nothing was looked at
 */
function nothingDone({ ctx, environmentId, stored }: Order, old: Properties, error: unknown): Written {
  const { variables } = ctx.environment(environmentId);
  const own = [...stored.values()].filter(({ name }) => !variables.isOnlyLookedAt(name));
  if (!(error instanceof PreviewenvError) || own.length === stored.size) throw error;
  return { id: environmentId, state: toState(old, own, old["revision"], unfinished(old)), open: [error.message] };
}

/** One line, such as `environment …: 3 written (A, B, C), 1 deleted (D)`. */
function sayWhatWasDone(ctx: Context, environmentId: string, { steps, results }: Done): void {
  const parts = (["written", "deleted"] as const).flatMap((what) => {
    const names = steps.flatMap(({ name }) => (results.get(name)?.is === what ? [name] : []));
    return names.length === 0 ? [] : [`${names.length} ${what} (${shortNameList(names)})`];
  });
  if (parts.length > 0) ctx.log.info(`environment ${ctx.client.titleOf(environmentId)}: ${parts.join(", ")}`);
}

/** A variable as state has it after the writes: what was stored is new, what failed is as it was. */
function after(step: Step, result: Result | undefined): readonly StoredVariable[] {
  const { wanted, stored } = step;
  if (wanted === undefined) return afterRemoval(step, result);
  if (result !== undefined && "now" in result && result.now !== undefined) return [result.now];
  if (stored === undefined) return [];
  if (!isOwn(stored)) return [stored];
  // The engine would not encrypt the value: its input is the placeholder.
  if (wanted.is === "unknown") return [{ ...stored, is: wanted.is, hidden: wanted.hidden, value: wanted.value }];
  return [stored.hidden === wanted.hidden ? stored : undeclared(stored)];
}

/** What stays of a name that is not declared any more. */
function afterRemoval(step: UndeclaredStep, result: Result | undefined): readonly StoredVariable[] {
  const { name, stored } = step;
  if (!isRemoval(step) || result?.is === "deleted" || result?.is === "owned by another") return [];
  // What was given away, and has been written since, is another resource's.
  if (stored.is === "given") return result?.is === "written since" ? [] : [stored];
  if (result?.is === "declared by another")
    return [{ is: "given", name, updatedAt: isOwn(stored) ? stored.updatedAt : "" }];
  return [isOwn(stored) ? undeclared(stored) : stored];
}

/** Whether a name had to go, and is still there: a write before it failed, or the DELETE did. */
function isStillThere({ what, name }: Step, { results }: Done): boolean {
  const result = results.get(name)?.is;
  return what === "delete" && result !== "deleted" && result !== "owned by another" && result !== "declared by another";
}

/** Reasons by name, without values. */
function failures({ steps, results }: Done): ReadonlyMap<string, string> {
  const reasons = steps.flatMap(({ what, name }): readonly (readonly [string, string])[] => {
    const result = results.get(name);
    // What was given away stays so: its delete is tried again with the next update.
    return result?.is === "failed" && what !== "given" ? [[name, result.reason]] : [];
  });
  return new Map(reasons);
}

/** The text of a partial failure. `without`: names whose values state does not have, because it would be too large for an error. */
function openText(
  ctx: Context,
  environmentId: string,
  { steps, results }: Done,
  { failed, without }: { readonly failed: ReadonlyMap<string, string>; readonly without: readonly string[] },
): string {
  const uncertain = [...results].flatMap(([name, result]) => (isUncertain(result) ? [name] : []));
  const summary =
    `${failed.size} of ${variableCount(steps.filter(isDue).length)} of environment ${ctx.client.titleOf(environmentId)} could not be written or deleted. ` +
    "State holds what the service stored" +
    (uncertain.length === 0 ? "" : `, and the names that it may have stored (${nameList(uncertain)})`) +
    ". The next `pulumi up` sends only what is missing." +
    (without.length === 0
      ? ""
      : ` Pulumi cannot take so much state with an error, so the values of ${variableCount(without.length)} had to be left out: ` +
        `${nameList(without)}. The next \`pulumi up\` writes them again.`);
  return failureText(summary, failed);
}
