// A program loads this file: it imports nothing.

/** The text of `existing()`, frozen from the first release: programs in every language and state files hold it. */
export const EXISTING = "previewenv:existing:v1";

/** Texts with which a person means {@link EXISTING}: outside TypeScript, a program has to write it by hand. */
const LIKE_EXISTING =
  /^[\s"'`]*(?:existing\(\)|preview[-_]?env\s*[.:]\s*ex[is][a-z]*(?:\(\))?(?:\s*:\s*v?\d*)?)[\s"'`]*$/iu;

/** Why a text is refused that is nearly {@link EXISTING}, after its path: it would replace the value that the program means to keep. */
export function nearlyExisting(text: string): string | undefined {
  const isNear = text !== EXISTING && LIKE_EXISTING.test(text);
  return isNear ? `is nearly the text of \`existing()\`, which is exactly "${EXISTING}"` : undefined;
}
