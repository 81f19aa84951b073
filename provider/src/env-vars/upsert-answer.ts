import type { EnvVar, UpsertResult } from "../client/env-vars";
import { byName } from "../environment/variables";
import type { VariablesByName } from "../run/shared-variables";
import { matchesDeclared } from "./mask";
import { toOwnVariable, type Variable } from "./variable";
import type { Result, Results } from "./write-result";

const NO_REASON = "the service gave no reason";
/** How many reasons without a name are shown: a service may give a thousand of them. */
const MAX_NAMELESS_REASONS = 5;

/** `updated_at` of variables right before a write, as far as it is known: `undefined` for one that did not exist. */
export type TimesBefore = ReadonlyMap<string, string | undefined>;

/**
 * Reads the answer to an upsert. The specification: 200 lists what was stored, 207 lists successes in `data` and
 * failures in `errors`, where `name` may be null. `data` may list the sent variables or all of the environment, in any
 * order, so names decide. An error without a name is attributed by elimination.
 */
export function matchAnswer(sent: readonly Variable[], answer: UpsertResult, times: TimesBefore): Results {
  const list = byName(answer.stored);
  const failed = new Map<string, string>();
  const nameless: string[] = [];
  const names = new Set(sent.map(({ name }) => name));
  for (const { name, reason } of answer.failed) {
    if (name !== undefined && names.has(name)) failed.set(name, reason || NO_REASON);
    else nameless.push(reason);
  }
  const unnamed = sent.filter(({ name }) => !failed.has(name));
  const reasons = [...new Set(nameless)].filter(Boolean);
  const others = reasons.length - MAX_NAMELESS_REASONS;
  const shown = reasons.slice(0, MAX_NAMELESS_REASONS).join(" / ") || NO_REASON;
  const reason = others > 0 ? `${shown} / and ${others} other reasons` : shown;
  for (const { name } of namesOfFailures(unnamed, nameless.length, list, times)) failed.set(name, reason);
  return new Map(
    sent.map((variable): [string, Result] => {
      const { name } = variable;
      const failure = failed.get(name);
      if (failure !== undefined) return [name, { outcome: "failed", reason: failure }];
      return [name, { outcome: "written", now: toOwnVariable(variable, list.get(name)), listed: list.get(name) }];
    }),
  );
}

/**
 * The variables that `count` failures without a name are about: first those that are not listed, then those that are not shown as
 * stored. If these are too few, it may be any hidden one: somebody else may have written it since state was stored.
 */
function namesOfFailures(
  sent: readonly Variable[],
  count: number,
  list: VariablesByName,
  times: TimesBefore,
): readonly Variable[] {
  if (count === 0) return [];
  const missing = sent.filter(({ name }) => !list.has(name));
  if (missing.length >= count) return missing;
  const doubtful = sent.filter((variable) => !isShownAsStored(variable, list.get(variable.name), times));
  return doubtful.length >= count
    ? doubtful
    : sent.filter((variable) => variable.hidden || doubtful.includes(variable));
}

/** Whether the answer shows that a variable was stored: it is as sent, and has another time than before. */
function isShownAsStored(variable: Variable, listed: EnvVar | undefined, times: TimesBefore): boolean {
  if (listed === undefined || !matchesDeclared(listed, variable)) return false;
  // A visible value shows that it was stored. A hidden one of which no time is known shows nothing.
  if (!times.has(variable.name)) return !variable.hidden;
  const earlier = times.get(variable.name);
  return earlier === undefined || earlier !== listed.updatedAt;
}
