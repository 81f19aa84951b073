/** Frozen from the first release: state files hold it. */
const PREFIX = "previewenv:unknown:v1:";

/**
 * Stands in state for a value that is not known, or for a variable that is not as declared in a way that its value
 * cannot show. Never sent to the service. `note` is the mask of a declared secret, or what was found instead.
 */
export function standIn(updatedAt: string, note: string): string {
  return `${PREFIX}${updatedAt}:${note}`;
}

/** Whether a value is a stand-in; a declared value with the prefix is treated as one. */
export function isStandIn(value: string): boolean {
  return value.startsWith(PREFIX);
}
