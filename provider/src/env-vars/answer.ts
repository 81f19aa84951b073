import type { EnvVar, UpsertResult } from "../client/env-vars";
import type { Result } from "./result";
import { type OwnVariable, sameScope, type StoredVariable, type Variable } from "./variable";
import { byName } from "../environment/variables";

/** Reasons of which nobody knows what names they are about, in one line. */
const MAX_JOINED = 5;
const NO_REASON = "the service gave no reason";

/** What is known of variables before a write, to tell afterwards what it did. */
export interface Baseline {
  /** `updated_at` by name; `undefined` when the variable did not exist. */
  readonly updatedAt: ReadonlyMap<string, string | undefined>;
  /** Names that were read right before the write. What state says of the others may be old. */
  readonly read: ReadonlySet<string>;
}

/**
 * Joins what state has and what was read right before a write. State counts where it has a time. What exists without a time
 * tells nothing later.
 */
export function baselineOf(
  stored: Iterable<StoredVariable>,
  added: readonly Variable[],
  listed: ReadonlyMap<string, EnvVar>,
): Baseline {
  const known = [...stored].flatMap(({ is, name, updatedAt }) =>
    is === "seen" || updatedAt === "" ? [] : [[name, updatedAt] as const],
  );
  const read = added
    .map(({ name }) => [name, listed.get(name)] as const)
    .filter(([, there]) => there === undefined || there.updatedAt !== undefined)
    .map(([name, there]) => [name, there?.updatedAt] as const);
  return { updatedAt: new Map([...known, ...read]), read: new Set(read.map(([name]) => name)) };
}

/**
 * Reads the answer to an upsert. The specification: 200 lists what was stored, 207 lists successes in `data` and
 * failures in `errors`, where `name` may be null. `data` may list the sent variables or all of the environment, in any
 * order, so names decide; an error without a name is attributed by elimination.
 */
export function matchAnswer(
  sent: readonly Variable[],
  answer: UpsertResult,
  baseline: Baseline,
): ReadonlyMap<string, Result> {
  const listed = byName(answer.stored);
  const failed = new Map<string, string>();
  const nameless: string[] = [];
  const names = new Set(sent.map(({ name }) => name));
  for (const { name, reason } of answer.failed) {
    if (name !== undefined && names.has(name)) failed.set(name, reasonFrom([reason]));
    else nameless.push(reason);
  }
  const open = sent.filter(({ name }) => !failed.has(name));
  const reason = reasonFrom(nameless);
  for (const { name } of namesOfFailures(open, nameless.length, listed, baseline)) failed.set(name, reason);
  return new Map(
    sent.map((variable): [string, Result] => {
      const { name } = variable;
      const failure = failed.get(name);
      if (failure !== undefined) return [name, { is: "failed", reason: failure }];
      return [name, { is: "written", now: ownAs(variable, listed.get(name)), listed: listed.get(name) }];
    }),
  );
}

/** A declared variable as state keeps it once the service has it; a visible value as the service says it holds it. */
export function ownAs(variable: Variable, listed: EnvVar | undefined): OwnVariable {
  const value = listed !== undefined && !listed.hidden && !variable.hidden ? listed.value : variable.value;
  return { ...variable, value, updatedAt: listed?.updatedAt ?? "" };
}

/** Whether what the service lists can be what is declared. */
export function matchesDeclared(item: EnvVar, variable: Variable): boolean {
  return item.hidden === variable.hidden && sameScope(item.services, variable.services) && fitsValue(item, variable);
}

/** Whether what the service shows of a value, with the declared visibility, can be the declared one. */
export function fitsValue(item: EnvVar, { value, hidden }: Variable): boolean {
  return hidden ? fitsMask(value, item.value) : item.value === value;
}

/**
 * The names that `count` failures without a name are about: first those not listed, then those not as sent, then those that
 * have not moved, and if these are too few, hidden values that others may have moved since state was stored.
 */
function namesOfFailures(
  open: readonly Variable[],
  count: number,
  listed: ReadonlyMap<string, EnvVar>,
  { updatedAt, read }: Baseline,
): readonly Variable[] {
  if (count === 0) return [];
  const missing = open.filter(({ name }) => !listed.has(name));
  if (missing.length >= count) return missing;
  const notAsSent = open.filter((variable) => {
    const item = listed.get(variable.name);
    return item === undefined || !matchesDeclared(item, variable);
  });
  if (notAsSent.length >= count) return notAsSent;
  const unmoved = open.filter(({ name, hidden }) => {
    // A visible value shows that it was stored; a hidden one of which no time is known shows nothing.
    if (!updatedAt.has(name)) return hidden;
    const earlier = updatedAt.get(name);
    return earlier !== undefined && earlier === listed.get(name)?.updatedAt;
  });
  const likely = new Set([...notAsSent, ...unmoved]);
  if (likely.size >= count) return [...likely];
  return [...likely, ...open.filter((one) => one.hidden && !read.has(one.name) && !likely.has(one))];
}

function reasonFrom(reasons: readonly string[]): string {
  const texts = [...new Set(reasons.filter((reason) => reason !== ""))];
  if (texts.length === 0) return NO_REASON;
  const more = texts.length - MAX_JOINED;
  return texts.slice(0, MAX_JOINED).join(" / ") + (more > 0 ? ` / and ${more} other reasons` : "");
}

/** What an encoder writes in place of half a character, when a service cuts a value between two code units or two bytes. */
const REPLACEMENT = "\uFFFD";
/** The bytes of the longest character but one: each may become a character of its own. */
const MAX_REPLACEMENTS = 3;
const LAST_ASCII = 0x7f;

/**
 * Whether a value may be behind a mask. The specification: "a leading part and a trailing part stay visible and the
 * middle is replaced by asterisks". How long the parts are is not shown, nor whether the number of asterisks tells the
 * length, so nothing is read from lengths; a value may hold asterisks itself, so each run of them may be the middle.
 */
export function fitsMask(value: string, mask: string): boolean {
  return value === mask || storedForms(value).some((form) => fits(form, mask));
}

/** A value as a service may store it: as it is, with line breaks of one kind, and with accents of one kind. */
function storedForms(value: string): readonly string[] {
  const lines = value.replaceAll(/\r\n?/gu, "\n");
  return [...new Set([value, lines, value.normalize("NFC"), lines.normalize("NFC")])];
}

function fits(value: string, mask: string): boolean {
  if (value === mask) return true;
  // Compared once, not for every run: a mask may have as many as it has characters.
  const head = agreement(value, mask, 1);
  const tail = agreement(value, mask, -1);
  const isHead = (end: number): boolean => end <= head || isCut(value, mask.slice(head, end), head);
  const isTail = (length: number): boolean =>
    length <= tail || isCut(value, mask.slice(mask.length - length, mask.length - tail), value.length - tail);
  return runs(mask).some(({ start, end }) => isHead(start) && isTail(mask.length - end));
}

/** Whether the rest of a visible part is what is left of a character of the value that was cut at this place. */
function isCut(value: string, rest: string, place: number): boolean {
  if (rest.length > MAX_REPLACEMENTS || rest.split(REPLACEMENT).join("") !== "") return false;
  return [value.charCodeAt(place - 1), value.charCodeAt(place)].some((unit) => unit > LAST_ASCII);
}

/** How many code units are the same in both, from their beginnings on or from their ends. */
function agreement(value: string, mask: string, step: 1 | -1): number {
  const at = (text: string, count: number): string => text.charAt(step === 1 ? count : text.length - 1 - count);
  let count = 0;
  while (count < value.length && at(value, count) === at(mask, count)) count += 1;
  return count;
}

function runs(mask: string): readonly { readonly start: number; readonly end: number }[] {
  return [...mask.matchAll(/\*+/gu)].map(({ index, 0: stars }) => ({ start: index, end: index + stars.length }));
}
