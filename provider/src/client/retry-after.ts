import { MS_PER_SECOND } from "./clock";

const SECONDS = /^\d+(\.\d+)?$/u;
/** RFC 9110: a date begins with the day's name. Without this check `Date.parse` would accept nearly any text. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d/iu;

/** Milliseconds from `nowMs` on that a Retry-After header asks to wait; a date in the past is 0; `undefined` for anything else. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (SECONDS.test(text)) return Number(text) * MS_PER_SECOND;
  if (!HTTP_DATE.test(text)) return undefined;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
