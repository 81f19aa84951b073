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

/** Frozen from the first release: programs in every language and state files hold it. */
export const EXISTING = "previewenv:existing:v1";

/** How a program writes {@link EXISTING}: for descriptions. */
export const EXISTING_IN_PROGRAMS = `\`previewenv.existing()\` (outside TypeScript: the text \`${EXISTING}\`)`;

/** Texts with which a person means {@link EXISTING}: outside TypeScript, a program has to write it by hand. */
const LIKE_EXISTING = /^\s*(?:previewenv\s*:\s*existing|(?:previewenv\.)?existing\(\))/iu;

/** Why a value is refused that is nearly {@link EXISTING}, after its path. It would replace the value that the program means to keep. */
export function markerProblem(value: string): string | undefined {
  const isLike = value !== EXISTING && LIKE_EXISTING.test(value);
  return isLike ? `is nearly the text of \`existing()\`: write "${EXISTING}" exactly` : undefined;
}

/** Whether a value stands for whatever the service has: the variable must exist, and its value is never compared. */
export function isExisting(value: string): boolean {
  return value === EXISTING;
}
