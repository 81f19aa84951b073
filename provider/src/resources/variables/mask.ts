const STAR = "*";
/** What a JSON encoder leaves of half a character, when a service cuts a value between two code units. */
const REPLACEMENT = "\uFFFD";

/**
 * Whether a value may be behind a mask. The specification: "a leading part and a trailing part stay visible and the
 * middle is replaced by asterisks". How long the parts are is not shown, nor whether the number of asterisks tells the
 * length, so nothing is read from lengths; a value may hold asterisks itself, so each run of them may be the middle.
 */
export function fitsMask(value: string, mask: string): boolean {
  if (value === mask) return true;
  const first = skip(mask, 0, 1);
  const last = skip(mask, mask.length - 1, -1);
  // Compared once, not for every run: a mask may have as many as it has characters.
  const head = first + agreement(value, mask, 0, first, 1);
  const tail = last - agreement(value, mask, value.length - 1, last, -1);
  return runs(mask).some(({ start, end }) => skip(mask, start - 1, -1) < head && skip(mask, end, 1) > tail);
}

/** The first position from `at` on, in steps of one, that does not hold the rest of half a character. */
function skip(mask: string, at: number, step: 1 | -1): number {
  let position = at;
  while (mask.charAt(position) === REPLACEMENT) position += step;
  return position;
}

/** How many characters are the same in both, from two positions on. */
function agreement(value: string, mask: string, inValue: number, inMask: number, step: 1 | -1): number {
  let count = 0;
  for (;;) {
    const character = value.charAt(inValue + count * step);
    if (character === "" || character !== mask.charAt(inMask + count * step)) return count;
    count += 1;
  }
}

/** Whether a mask tells nothing at all, so that every value fits it. */
export function showsNothing(mask: string): boolean {
  return mask !== "" && mask.split(STAR).join("") === "";
}

function runs(mask: string): readonly { readonly start: number; readonly end: number }[] {
  return [...mask.matchAll(/\*+/gu)].map(({ index, 0: stars }) => ({ start: index, end: index + stars.length }));
}
