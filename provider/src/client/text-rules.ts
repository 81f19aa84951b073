// The texts that may be an id and a segment of a path, so that a request can carry it.

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
