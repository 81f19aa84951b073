import type { History } from "../history";
import type { Trouble } from "../trouble";
import { hold } from "../violation";

const OUTAGE: readonly number[] = [502, 503, 504];
/** The pauses between so many attempts are 8 s at most together. */
const MAX_TIMES = 5;
/** Requests that queue nothing, so that they are repeated. */
const REPEATED = /^(GET|PUT|DELETE) /u;
const SAID = /answered 50[234]/u;

/**
 * A run whose only trouble is that the service is away for a moment, at requests with these labels, does not fail of that.
 * When the user has set how often a request is repeated, that counts instead.
 */
export function holdOutlasting(
  { maxRetries }: History["settings"],
  troubles: readonly Trouble[],
  met: readonly string[],
  errors: readonly string[],
): void {
  const [trouble, ...others] = troubles;
  if (maxRetries !== undefined || trouble === undefined || others.length > 0) return;
  const { what, times = 1 } = trouble;
  if (what.kind !== "status" || !OUTAGE.includes(what.status) || what.retryAfterSeconds !== undefined) return;
  if (times > MAX_TIMES || !met.every((label) => REPEATED.test(label))) return;
  const error = errors.find((text) => SAID.test(text));
  hold(error === undefined, "outlasts", () => `a run failed: ${error}`);
}
