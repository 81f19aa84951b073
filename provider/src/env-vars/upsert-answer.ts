import type { EnvVar, UpsertResult } from "../client/env-vars";
import { displayableName } from "../client/error-text";
import { contradictionOf } from "./contradiction";
import { refreshVariable } from "./refreshed-variable";
import { looseForm, type Variable } from "./variable";
import type { Result, Results } from "./results";
import { formOf, isShownInOtherForm } from "./shown-value";

const NO_REASON = "the service gave no reason";
const NOT_MENTIONED = "the service's answer names it neither as stored nor as failed";
const OTHER_NAME = "If the service stores names in that form, declare it so: nothing deletes it under another name";
/** How many reasons without a name are shown: a service may give a thousand of them. */
const MAX_NAMELESS_REASONS = 5;

/** The list of an answer, by name: one variable each, unless a service repeats itself. */
type ListedByName = ReadonlyMap<string, readonly EnvVar[]>;

/** `updated_at` of variables right before a write, as far as it is known: `undefined` for one that did not exist. */
export type TimesBefore = ReadonlyMap<string, string | undefined>;

/**
 * Reads the answer to an upsert. The specification: 200 lists what was written, 207 lists successes in `data` and
 * failures in `errors`, where `name` may be null. `data` may list the sent variables or all of the environment, in any
 * order, so names decide. An error without a name is attributed by elimination. A variable that the answer contradicts
 * (`contradictionOf`) is not done, and neither is a name that the answer does not mention.
 */
export function matchAnswer(sent: readonly Variable[], answer: UpsertResult, times: TimesBefore): Results {
  const list: ListedByName = Map.groupBy(answer.written, ({ name }) => name);
  // An answer that shows a variable as written all the same does not say which of the two holds.
  const failure = (variable: Variable, reason: string, isCertain: boolean): Result => {
    const isShown = isShownAsWritten(variable, list.get(variable.name)?.at(-1), times);
    return { outcome: isCertain && !isShown ? "failed" : "uncertain", reason };
  };
  const failed = new Map<string, Result>();
  const nameless: string[] = [];
  const byName = new Map(sent.map((variable) => [variable.name, variable]));
  for (const { name = "", reason } of answer.failed) {
    const variable = byName.get(name);
    if (variable !== undefined) failed.set(name, failure(variable, reason || NO_REASON, true));
    else nameless.push(reason);
  }
  const unnamed = sent.filter(({ name }) => !failed.has(name));
  const reasons = [...new Set(nameless)].filter(Boolean);
  const others = reasons.length - MAX_NAMELESS_REASONS;
  const firstReasons = reasons.slice(0, MAX_NAMELESS_REASONS).join(" / ") || NO_REASON;
  const reason = others > 0 ? `${firstReasons} / and ${others} other reasons` : firstReasons;
  const suspects = suspectsOf(unnamed, nameless.length, list, times);
  // When there are more suspects than failures, some of them are written.
  const isCertain = suspects.length <= nameless.length;
  for (const variable of suspects) failed.set(variable.name, failure(variable, reason, isCertain));
  const namesByForm = new Map(answer.written.map(({ name }) => [looseForm(name), name]));
  return new Map(
    sent.map((variable) => [
      variable.name,
      failed.get(variable.name) ?? resultOf(variable, list.get(variable.name)) ?? notMentioned(variable, namesByForm),
    ]),
  );
}

/** The result for a variable that the answer does not have, but perhaps in another form of its name. */
function notMentioned(sent: Variable, namesByForm: ReadonlyMap<string, string>): Result {
  const other = namesByForm.get(looseForm(sent.name));
  const hint = other === undefined ? "" : `, but lists ${displayableName(other)}. ${OTHER_NAME}`;
  return { outcome: "uncertain", reason: NOT_MENTIONED + hint };
}

/** The result for a variable that no error is about. `undefined` when the answer does not have it. */
function resultOf(sent: Variable, shown: readonly EnvVar[] = []): Result | undefined {
  const wrong = shown.find((one) => contradictionOf(sent, one) !== undefined);
  const listed = wrong ?? shown.at(-1);
  if (listed === undefined) return undefined;
  const isOtherForm = sent.hidden === listed.hidden && isShownInOtherForm(sent, listed);
  const record = { ...sent, updatedAt: listed.updatedAt ?? "", ...(isOtherForm && { isOtherForm }) };
  const reason = contradictionOf(sent, listed);
  if (reason === undefined) return { outcome: "written", record, listed };
  return { outcome: "written", reason, record: refreshVariable(record, listed), listed };
}

/**
 * The variables that `count` failures without a name are about: first those that are not listed, then those that are not shown as
 * written. If these are too few, it may be any hidden one: somebody else may have written it since state was stored.
 */
function suspectsOf(
  sent: readonly Variable[],
  count: number,
  list: ListedByName,
  times: TimesBefore,
): readonly Variable[] {
  if (count === 0) return [];
  const missing = sent.filter(({ name }) => !list.has(name));
  if (missing.length >= count) return missing;
  const doubtful = sent.filter((variable) => !isShownAsWritten(variable, list.get(variable.name)?.at(-1), times));
  return doubtful.length >= count
    ? doubtful
    : sent.filter((variable) => variable.hidden || doubtful.includes(variable));
}

/** Whether the answer shows that a value was written: it is the one that was sent, and has another time than before. */
function isShownAsWritten(variable: Variable, listed: EnvVar | undefined, times: TimesBefore): boolean {
  if (listed === undefined || formOf(variable, listed) === undefined) return false;
  // A visible value shows that it was written. A hidden one of which no time is known shows nothing.
  if (!times.has(variable.name)) return !listed.hidden;
  const earlier = times.get(variable.name);
  return earlier === undefined || earlier !== listed.updatedAt;
}
