import * as z from "zod";
import { nearest } from "../command/did-you-mean";
import { globProblem } from "./globs";

// The forms that values of settings have, with the words for each.

/** One millisecond: timers count whole ones. */
const MIN_REQUEST_SECONDS = 0.001;
/** One day. A timer of more than 24 days would fire at once. */
const MAX_REQUEST_SECONDS = 86_400;

/** Stack config and environment variables are text. `Number` alone would turn spaces, booleans and lists into numbers. */
const number = z.number().or(
  z
    .string()
    .trim()
    .regex(/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/iu)
    .transform(Number),
);

/** Any text but an empty one. */
export const text = { schema: z.string().min(1), allowed: "text", type: "string", secret: false } as const;

const ALL_NAMES = "*";

/** A text that says yes or no, or a boolean. */
export const flag = {
  schema: z
    .string()
    .trim()
    .pipe(z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] }))
    .or(z.boolean()),
  allowed: "true or false",
  type: "boolean",
  secret: false,
} as const;

/** A time. */
export const seconds = {
  schema: number.pipe(z.number().min(MIN_REQUEST_SECONDS).max(MAX_REQUEST_SECONDS)),
  allowed: `a number from ${MIN_REQUEST_SECONDS} to ${MAX_REQUEST_SECONDS}`,
  type: "number",
  secret: false,
} as const;

/** Other words for a flag. */
const FLAG_WORDS = ["no", "off", "none", "yes", "on"];

/** Whether a text may be meant as `true` or `false`. Names of variables are seldom in lower case. */
function isLikeFlag(word: string): boolean {
  if (!/^[A-Z]?[a-z]{1,6}$/u.test(word)) return false;
  return FLAG_WORDS.includes(word.toLowerCase()) || nearest(word, ["true", "false"]) !== undefined;
}

/** `true` is no glob, and `false` the glob of all names. */
export const globList = {
  schema: flag.schema
    .transform((isOn) => (isOn ? "" : ALL_NAMES))
    .or(
      z
        .string()
        .trim()
        .refine((list) => !isLikeFlag(list) && globsIn(list).every((glob) => globProblem(glob) === undefined)),
    ),
  allowed: "true, false, or globs of names with commas between them, such as SORT_KEY,CACHE_*",
  type: "globs",
  secret: false,
} as const;

/** A whole number from `least` on. */
export function wholeNumber(least: number) {
  return {
    schema: number.pipe(z.number().int().min(least)),
    allowed: `a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}`,
    type: "integer",
    secret: false,
  } as const;
}

/** The globs in the text of a setting. A comma within braces does not end one. */
export function globsIn(list: string): readonly string[] {
  const found = list.match(/(?:\{[^}]*\}|[^,])+/gu) ?? [];
  return found.map((glob) => glob.trim()).filter((glob) => glob !== "");
}
