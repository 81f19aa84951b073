import { ArgumentError } from "./errors";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;
/** Half of a surrogate pair: it has no percent-encoding. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const REFUSED: readonly string[] = ["", ".", ".."];

/** Whether a text can be one segment of a path. Other texts would address another resource, or have no percent-encoding. */
export function isSegment(value: string): boolean {
  return !REFUSED.includes(value) && !LONE_SURROGATE.test(value);
}

/** One path segment, percent-encoded; throws ArgumentError for "", "." and "..", which would name another resource. */
export function segment(value: string): string {
  if (REFUSED.includes(value))
    throw new ArgumentError(
      `"${value}" cannot be the name of anything in a request: the path would be that of another resource.`,
    );
  if (LONE_SURROGATE.test(value))
    throw new ArgumentError(
      "A name contains half of a character (a lone surrogate), so no request can have it in its path.",
    );
  return encodeURIComponent(value);
}

/** A path template: every interpolated value becomes exactly one encoded segment. */
export function path(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return strings.reduce((done, literal, index) => done + segment(values[index - 1] ?? "") + literal);
}

/** The path of an environment, followed by `rest`; throws ArgumentError when `id` is not a UUID. */
export function environmentPath(id: string, rest = ""): string {
  if (!UUID.test(id)) throw new ArgumentError("The environment id is not a UUID. Nothing was sent.");
  return path`/api/v1/environment/${id}` + rest;
}
