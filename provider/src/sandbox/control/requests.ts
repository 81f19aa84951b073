import { type FaultOptions, GATEWAY_WORDS } from "../http/faults";
import { type Fields, ShapeError } from "../domain/fields";
import type { Flags } from "../domain/model";
import type { VariableSeed } from "../domain/variables";

const MIN_STATUS = 200;
const MAX_STATUS = 599;
const METHODS = ["GET", "PUT", "PATCH", "POST", "DELETE"] as const;
/** What a fault can do. The rest says to which requests, and how. */
const EFFECTS = [
  "status",
  "gateway",
  "delayMs",
  "dropBefore",
  "dropAfter",
  "malformed",
  "contentType",
  "refuse",
  "unmentioned",
  "unlisted",
] as const;

/** Effects that meet only requests of one method. */
const OF_ONE_METHOD = [
  ["refuse", "PUT"],
  ["unmentioned", "PUT"],
  ["unlisted", "GET"],
] as const;

/** A variable somebody sets by hand. */
export function readVariable(body: Fields): VariableSeed {
  return {
    name: body.text("name"),
    value: body.text("value"),
    hidden: body.optionalFlag("hidden"),
    services: body.optionalTexts("services"),
  };
}

export const readName = (body: Fields): string => body.text("name");

export const readRepository = (body: Fields): string => body.text("repoName");

/** For requests that are only about an environment. */
export const readNothing = (): undefined => undefined;

/** A repository that is switched to another branch. */
export function readSwitch(body: Fields) {
  return {
    repoName: body.text("repoName"),
    branch: body.text("branch"),
    build: body.optionalFlag("build") ?? true,
  };
}

/** The wishes of a test for builds. */
export type BuildOrder = ReturnType<typeof readBuildOrder>;

export function readBuildOrder(body: Fields) {
  const slowNextSeconds = body.optionalNumber("slowNextSeconds");
  if (slowNextSeconds !== undefined && slowNextSeconds < 0)
    throw new ShapeError("body.slowNextSeconds must not be negative");
  return {
    finish: body.optionalFlag("finish"),
    resetNext: body.optionalFlag("resetNext"),
    failNext: body.optionalFlag("failNext"),
    slowNextSeconds,
    queue: body.optionalFlag("queue"),
  };
}

/** The flags that are named, and no others. */
export function readFlags(body: Fields): Partial<Flags> {
  const named = (["stopped", "retired", "deleted"] as const).flatMap((name) => {
    const flag = body.optionalFlag(name);
    return flag === undefined ? [] : [[name, flag] as const];
  });
  return Object.fromEntries(named);
}

/** A fault without `match` and `hold`, which are functions and promises. One that could not act is refused: a test with it would prove nothing. */
export function readFault(body: Fields): FaultOptions {
  const status = body.optionalNumber("status");
  if (status !== undefined && !(Number.isInteger(status) && status >= MIN_STATUS && status <= MAX_STATUS)) {
    throw new ShapeError(`body.status must be a status from ${MIN_STATUS} to ${MAX_STATUS}`);
  }
  const fault: FaultOptions = {
    method: readWord(body, "method", METHODS),
    path: body.optionalText("path"),
    label: body.optionalText("label"),
    times: readWholeNumber(body, "times", 1),
    after: readWholeNumber(body, "after", 0),
    status,
    gateway: readWord(body, "gateway", GATEWAY_WORDS),
    body: body.raw("body"),
    headers: body.optionalObject("headers", textsOf),
    retryAfter: readRetryAfter(body),
    acts: body.optionalFlag("acts"),
    delayMs: readWholeNumber(body, "delayMs", 0),
    dropBefore: body.optionalFlag("dropBefore"),
    dropAfter: body.optionalFlag("dropAfter"),
    malformed: body.optionalFlag("malformed"),
    contentType: body.optionalText("contentType"),
    refuse: body.optionalObject("refuse", textsOf),
    refuseNull: body.optionalFlag("refuseNull"),
    unmentioned: body.optionalTexts("unmentioned"),
    unlisted: body.optionalTexts("unlisted"),
  };
  // A misspelt effect is told by its name.
  body.refuseUnread();
  if (!EFFECTS.some((effect) => isSet(fault[effect])))
    throw new ShapeError(`body must say what happens: set one of ${EFFECTS.join(", ")}`);
  refuseOtherMethods(fault);
  return fault;
}

function refuseOtherMethods(fault: FaultOptions): void {
  const method = fault.method ?? fault.label?.split(" ")[0];
  for (const [effect, only] of OF_ONE_METHOD)
    if (fault[effect] !== undefined && method !== undefined && method !== only)
      throw new ShapeError(`body.${effect} meets only ${only} requests`);
}

/** Whether an effect takes place: no flag that is false, no empty text, list or map, no delay of 0. */
function isSet(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** One of these words, in whatever case. */
function readWord<W extends string>(body: Fields, key: string, words: readonly W[]): W | undefined {
  const text = body.optionalText(key);
  const word = words.find((one) => one.toLowerCase() === text?.toLowerCase());
  if (word === undefined && text !== undefined) throw new ShapeError(`body.${key} must be one of ${words.join(", ")}`);
  return word;
}

function readWholeNumber(body: Fields, key: string, least: number): number | undefined {
  const number = body.optionalNumber(key);
  if (number !== undefined && !(Number.isInteger(number) && number >= least))
    throw new ShapeError(`body.${key} must be a whole number of at least ${least}`);
  return number;
}

function readRetryAfter(body: Fields): number | string | undefined {
  return typeof body.raw("retryAfter") === "string"
    ? body.optionalText("retryAfter")
    : body.optionalNumber("retryAfter");
}

function textsOf(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.textEntries());
}
