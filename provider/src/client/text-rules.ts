// What may be a name, a text and an id, so that requests, state and Pulumi can carry it.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** Whether a text is the id of an environment. The specification: identifiers are UUID strings, of any version. */
export function isEnvironmentId(text: string): boolean {
  return UUID.test(text);
}

/** One key for one environment, however its id is spelled: a UUID is the same in capitals. */
export function environmentKey(environmentId: string): string {
  return environmentId.toLowerCase();
}

/** Whether a text has an unpaired surrogate. It has no UTF-8 form: a request and gRPC would change it. */
export function hasUnpairedSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** Whether a text can be one segment of a path. Other texts would address another resource, or have no percent-encoding. */
export function isSegment(text: string): boolean {
  return !["", ".", ".."].includes(text) && !hasUnpairedSurrogate(text);
}

/** Whether a map in a program and in state can have the name: `__proto__` is no ordinary key. */
export function isMapKey(name: string): boolean {
  return name !== "__proto__" && !hasUnpairedSurrogate(name);
}

/**
 * A text of one line that names something on the service, such as a branch. A text from a command or a file often ends with a line
 * break: then it names something else, which does not exist.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
export const ONE_LINE = /^[^\u0000-\u001F\u007F-\u009F\u2028\u2029]*$/u;

/** Rules for a name, before any request: it becomes a path segment of DELETE and a name in a shell. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "has an empty name";
  if (name === "." || name === "..")
    return 'must not be "." or "..", which would address another resource of the service';
  if (/\p{Cc}/u.test(name)) return "has a control character in its name";
  return undefined;
}
