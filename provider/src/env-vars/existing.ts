/** Frozen from the first release: programs in every language and state files hold it. */
export const EXISTING = "previewenv:existing:v1";

/** Whether a value stands for whatever the service has: the variable must exist, and its value is never compared. */
export function isExisting(value: string): boolean {
  return value === EXISTING;
}
