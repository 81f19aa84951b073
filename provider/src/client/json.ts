/** Answers that are nested deeper are refused: reading millions of levels would use up time and memory. */
export const MAX_LEVELS = 100;

/** The parsed text, or `undefined` when it is not JSON, or nested more than 100 levels deep. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with named entries: no list, no null. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTooDeep(text: string): boolean {
  let levels = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === "[" || character === "{") levels += 1;
    else if (character === "]" || character === "}") levels -= 1;
    if (levels > MAX_LEVELS) return true;
  }
  return false;
}

/** Where the string that begins at `start` ends: at a quote that no backslash precedes, or one that is escaped itself. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charAt(first - 1) === "\\") first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length;
}
