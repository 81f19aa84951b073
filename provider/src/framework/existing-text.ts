// A program loads this file: it imports nothing.

/** The text of `existing()`, frozen from the first release: programs in every language and state files hold it. */
export const EXISTING = "previewenv:existing:v1";

/**
 * Texts with which a person means {@link EXISTING}: outside TypeScript, a program has to write it by hand. With a colon, whatever follows the
 * word, and with its letters in any order. As a call, only the whole text: an address may have a dot. No repetition is without a limit, or
 * long texts would take time.
 */
const LIKE_EXISTING =
  /^[\s"'`]{0,9}(?:preview[-_]?env\s{0,9}:\s{0,9}e[xistng]{6,8}(?![a-z])|(?:preview[-_]?env\.existing(?:\(\))?|existing\(\))[\s"'`;]{0,9}$)/iu;

/** Why a text is refused that is nearly {@link EXISTING}, after its path: it would replace the value that the program means to keep. */
export function nearlyExisting(text: string): string | undefined {
  const isNear = text !== EXISTING && LIKE_EXISTING.test(text);
  return isNear ? `is nearly the text of \`existing()\`, which is exactly "${EXISTING}"` : undefined;
}
