const STAR = "*";
/** What an encoder writes in place of half a character, when a service cuts a value between two code units or two bytes. */
const REPLACEMENT = "\uFFFD";
/** The bytes of the longest character but one: each may become a character of its own. */
const MAX_REPLACEMENTS = 3;
const LAST_ASCII = 0x7f;

/**
 * Whether a value may be behind a mask. The specification: "a leading part and a trailing part stay visible and the
 * middle is replaced by asterisks". How long the parts are is not shown, nor whether the number of asterisks tells the
 * length, so nothing is read from lengths; a value may hold asterisks itself, so each run of them may be the middle.
 */
export function fitsMask(value: string, mask: string): boolean {
  return value === mask || storedForms(value).some((form) => fits(form, mask));
}

/** A value as a service may store it: as it is, with line breaks of one kind, and with accents of one kind. */
function storedForms(value: string): readonly string[] {
  const lines = value.replaceAll(/\r\n?/gu, "\n");
  return [...new Set([value, lines, value.normalize("NFC"), lines.normalize("NFC")])];
}

function fits(value: string, mask: string): boolean {
  if (value === mask) return true;
  // Compared once, not for every run: a mask may have as many as it has characters.
  const head = agreement(value, mask, 1);
  const tail = agreement(value, mask, -1);
  const isHead = (end: number): boolean => end <= head || isCut(value, mask.slice(head, end), head);
  const isTail = (length: number): boolean =>
    length <= tail || isCut(value, mask.slice(mask.length - length, mask.length - tail), value.length - tail);
  return runs(mask).some(({ start, end }) => isHead(start) && isTail(mask.length - end));
}

/** Whether the rest of a visible part is what is left of a character of the value that was cut at this place. */
function isCut(value: string, rest: string, place: number): boolean {
  if (rest.length > MAX_REPLACEMENTS || rest.split(REPLACEMENT).join("") !== "") return false;
  return [value.charCodeAt(place - 1), value.charCodeAt(place)].some((unit) => unit > LAST_ASCII);
}

/** How many code units are the same in both, from their beginnings on or from their ends. */
function agreement(value: string, mask: string, step: 1 | -1): number {
  const at = (text: string, count: number): string => text.charAt(step === 1 ? count : text.length - 1 - count);
  let count = 0;
  while (count < value.length && at(value, count) === at(mask, count)) count += 1;
  return count;
}

/** Whether a mask tells nothing at all, so that every value fits it. */
export function showsNothing(mask: string): boolean {
  return mask !== "" && mask.split(STAR).join("") === "";
}

function runs(mask: string): readonly { readonly start: number; readonly end: number }[] {
  return [...mask.matchAll(/\*+/gu)].map(({ index, 0: stars }) => ({ start: index, end: index + stars.length }));
}
