import { EXISTING } from "../framework/existing-text";

/** Frozen from the first release: state files hold it. */
const PREFIX = "previewenv:unknown:v1:";
/** The note of a variable that stays in state although the program does not declare it there. */
export const NOT_DECLARED = "not declared";
const TIME_AND_NOTE = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|[^:]*):(?<note>.*)$/su;

/**
 * The text in state for a value that is not known, or for a variable that is not as declared in a way that its value
 * cannot show. It is never sent to the service.
 */
export function placeholder(updatedAt: string, note: string): string {
  return `${PREFIX}${updatedAt}:${note}`;
}

/** Whether a value is a placeholder. A declared value with its prefix is treated as one. */
export function isPlaceholder(value: string): boolean {
  return value.startsWith(PREFIX);
}

/** The note in a placeholder, or `undefined` for any other value. */
export function noteIn(value: unknown): string | undefined {
  if (typeof value !== "string" || !isPlaceholder(value)) return undefined;
  return TIME_AND_NOTE.exec(value.slice(PREFIX.length))?.groups?.["note"] ?? "";
}

/** How a program writes {@link EXISTING}: for descriptions and advice. */
export const EXISTING_IN_PROGRAMS = `\`previewenv.existing()\` (outside TypeScript: the text \`${EXISTING}\`)`;

/** Whether a value stands for whatever the service has: the variable must exist, and its value is never compared. */
export function isExisting(value: string): boolean {
  return value === EXISTING;
}
