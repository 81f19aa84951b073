const STAR = "*";
/** What a JSON encoder leaves of half a character, when a service cuts a value between two code units. */
const REPLACEMENT = /^\uFFFD+|\uFFFD+$/gu;

/**
 * Whether a value may be behind a mask. The specification: "a leading part and a trailing part stay visible and the
 * middle is replaced by asterisks". How long the parts are is not shown, nor whether the number of asterisks tells the
 * length, so nothing is read from lengths; a value may hold asterisks itself, so each run of them may be the middle.
 */
export function fitsMask(value: string, mask: string): boolean {
  if (value === mask) return true;
  return runs(mask).some(({ start, end }) => {
    const head = mask.slice(0, start).replace(REPLACEMENT, "");
    const tail = mask.slice(end).replace(REPLACEMENT, "");
    return value.startsWith(head) && value.endsWith(tail);
  });
}

/** Whether a mask tells nothing at all, so that every value fits it. */
export function showsNothing(mask: string): boolean {
  return mask !== "" && mask.split(STAR).join("") === "";
}

function runs(mask: string): readonly { readonly start: number; readonly end: number }[] {
  return [...mask.matchAll(/\*+/gu)].map(({ index, 0: stars }) => ({ start: index, end: index + stars.length }));
}
