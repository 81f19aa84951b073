import * as z from "zod";

const MIB = 1024 * 1024;
/** A longer id, time or commit is refused. */
const MAX_ID_CHARACTERS = 1_000;
/** More problems of one answer are not listed. */
const MAX_PROBLEMS = 3;
const MAX_PROBLEM_CHARACTERS = 1_500;
/** Items are checked in groups of this size. */
const ITEMS_AT_ONCE = 100;

/** How a web page begins. */
const WEB_PAGE = /^\s*</u;

/** Whether a text is a web page. */
export function isWebPage(text: string): boolean {
  return WEB_PAGE.test(text);
}

/** What is wrong with an answer that is not JSON, for an error. */
export function describeNonJson(text: string): string {
  return isWebPage(text)
    ? "it is not JSON but a web page. A gateway, a proxy or a login page may have answered in its place."
    : "it is not JSON.";
}

/** The parsed answer, or what is wrong with it: places and what was expected there, never what was received. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

/** Parses an answer. It stops after the first few problems, so that a wrong answer costs no more than a right one. */
export function parseAnswer<S extends z.ZodType>(text: string, shape: S): Parsed<z.output<S>> {
  const body = parseJson(text);
  if (body === undefined) return { problem: describeNonJson(text) };
  try {
    const parsed = shape.safeParse(body);
    return parsed.success ? { value: parsed.data } : { problem: problemsOf(parsed.error) };
  } catch (error) {
    // What is nested thousands of levels deep cannot be written as text to see how large it is.
    if (error instanceof RangeError) return { problem: "it is nested too deep." };
    throw error;
  }
}

function problemsOf({ issues }: z.ZodError): string {
  const shown = z.prettifyError(new z.ZodError(issues.slice(0, MAX_PROBLEMS))).slice(0, MAX_PROBLEM_CHARACTERS);
  return issues.length > MAX_PROBLEMS ? `${shown} and more` : shown;
}

/** A list; its items are not checked. */
const anyList = z.custom<readonly unknown[]>(Array.isArray, "Invalid input: expected array");

/**
 * A list of items. Unlike `z.array` it stops after the first few wrong items: an issue for each of a million items costs
 * minutes, and more memory than the machine has.
 */
export function listOf<S extends z.ZodType>(item: S, most: number = Infinity) {
  const several = z.array(item);
  return anyList
    .check((payload) => {
      if (payload.value.length > most) payload.issues.push(problem(payload.value, [], `more than ${most} items`));
    })
    .transform((items, context): z.output<S>[] => {
      const read: z.output<S>[] = [];
      // As fast as `z.array` while no item is wrong.
      for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
        const parsed = several.safeParse(items.slice(start, start + ITEMS_AT_ONCE));
        if (!parsed.success) return describeWrongItems(items, start, item, context);
        for (const one of parsed.data) read.push(one);
      }
      return read;
    });
}

/** Adds issues for the first few wrong items. */
function describeWrongItems(
  items: readonly unknown[],
  start: number,
  item: z.ZodType,
  { issues }: z.RefinementCtx,
): never {
  let problems = 0;
  for (let index = start; index < items.length && problems <= MAX_PROBLEMS; index++) {
    for (const issue of item.safeParse(items[index]).error?.issues ?? []) {
      problems += 1;
      issues.push(problem(items[index], [index, ...issue.path], issue.message));
      if (problems > MAX_PROBLEMS) break;
    }
  }
  return z.NEVER;
}

function problem(input: unknown, path: PropertyKey[], message: string) {
  return { code: "custom", input, path, message, continue: false } as const;
}

/** An id, a name or a time: short. */
export const IdText = z.string().max(MAX_ID_CHARACTERS);

/** Refuses more than 1 MiB: the value goes into state, and state must fit into an error (docs/decisions/0013). */
export function atMostOneMib<S extends z.ZodType>(shape: S) {
  return shape.refine((value) => Buffer.byteLength(JSON.stringify(value) ?? "") <= MIB, "larger than 1 MiB");
}

/** An item as the service sends it: `{id, type, attributes}`, or flat. Fields of the shape are looked for in both. */
export function flattened<S extends z.ZodRawShape>(shape: S) {
  const names = Object.keys(shape);
  return z.preprocess((item) => flatten(item, names), z.object(shape));
}

function flatten(item: unknown, names: readonly string[]): unknown {
  if (!isMap(item) || !isMap(item["attributes"])) return item;
  const { attributes } = item;
  const found: Record<string, unknown> = {};
  for (const name of names) found[name] = Object.hasOwn(attributes, name) ? attributes[name] : item[name];
  found["id"] = item["id"];
  return found;
}

/** The parsed text, or `undefined` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with named entries: no list, no null. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
