import { nameList, shortNameList } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import type { LiveResource } from "../framework/resource";
import { changeVariables } from "./change-variables";
import type { OnConflict } from "./conflict";
import { declaredVariables, storedVariables, toState, wantedOf } from "./env-var-set-state";
import { type ChangedVariables, failureText, hasChanged, newRecord, recordAfter, variableCount } from "./results";
import { hasWork } from "./steps";

type SetInput = Properties & { readonly environmentId: string; readonly onConflict: OnConflict };

/**
 * Brings an environment to what a set declares, starting from what state has. A create has no `old`.
 * @throws whatever ended the writing, when nothing was done at all: state stays as it was.
 */
export async function applySet(ctx: Context, input: SetInput, old?: Properties): Promise<LiveResource> {
  const { environmentId, onConflict } = input;
  const wanted = wantedOf(old ?? {}, input, ctx.environment(environmentId));
  try {
    const changed = await changeVariables(ctx, { environmentId, onConflict, isCreate: old === undefined, ...wanted });
    if (changed.endedBy !== undefined && isNothingDone(changed)) throw changed.endedBy;
    sayWhatWasDone(ctx, environmentId, changed);
    return writtenSet(ctx, input, old, changed);
  } catch (error) {
    if (!wanted.isImported || !(error instanceof PreviewenvError)) throw error;
    return withoutForgotten(environmentId, input, old ?? {}, error.message);
  }
}

/**
 * Whether state can stay as it was. A variable counts as done that was deleted, written or taken over, and one of which state has
 * something else now. One that was taken over needed no write, but its earlier resource does not own it any more: state must have it.
 */
function isNothingDone({ steps, results }: ChangedVariables): boolean {
  return steps.every((step) => {
    const result = results.get(step.name);
    return result?.outcome !== "deleted" && newRecord(step, result) === undefined;
  });
}

/** State after a write. The reasons of names that failed are the reasons why it is not finished. */
function writtenSet(
  ctx: Context,
  input: SetInput,
  old: Properties | undefined,
  changed: ChangedVariables,
): LiveResource {
  const { environmentId: id } = input;
  const records = changed.steps.flatMap((step) => recordAfter(step, changed.results.get(step.name)) ?? []);
  const revision = old === undefined || hasChanged(changed) ? ctx.randomId() : old["revision"];
  const state = toState(input, records, revision);
  return changed.failed.size === 0
    ? { id, state }
    : { id, state, unfinishedReasons: [unfinishedText(ctx, id, changed)] };
}

/**
 * State after an update that has done nothing and follows an import: without the names that the program does not declare. The next `up`
 * would take them for the set's own, and delete them.
 */
function withoutForgotten(id: string, input: SetInput, old: Properties, reason: string): LiveResource {
  const declared = new Set(declaredVariables(input).map(({ name }) => name));
  const kept = [...storedVariables(old).values()].filter(({ name }) => declared.has(name));
  return { id, state: toState(old, kept, old["revision"]), unfinishedReasons: [reason] };
}

/** One line, such as `environment …: 3 written (A, B, C), 1 deleted (D)`. */
function sayWhatWasDone(ctx: Context, environmentId: string, { steps, results, failed }: ChangedVariables): void {
  const parts = ["written", "deleted"].flatMap((outcome) => {
    const names = steps.map(({ name }) => name);
    const those = names.filter((name) => results.get(name)?.outcome === outcome && !failed.has(name));
    return those.length === 0 ? [] : [`${those.length} ${outcome} (${shortNameList(those)})`];
  });
  if (parts.length > 0) ctx.log.info(`environment ${ctx.client.titleOf(environmentId)}: ${parts.join(", ")}`);
}

/** The text of a partial failure. */
function unfinishedText(ctx: Context, environmentId: string, { steps, results, failed }: ChangedVariables): string {
  const uncertain = [...results].flatMap(([name, { outcome }]) => (outcome === "uncertain" ? [name] : []));
  const summary =
    `${failed.size} of ${variableCount(steps.filter(hasWork).length)} of environment ${ctx.client.titleOf(environmentId)} could not be written or deleted. ` +
    "State holds what the service stored" +
    (uncertain.length === 0 ? "" : `, and the names that it may have stored (${nameList(uncertain)})`) +
    ". The next `pulumi up` sends only what is missing.";
  return failureText(summary, failed);
}
