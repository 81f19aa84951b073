/** Longer names are not compared: nobody types them by hand, and comparing costs the product of both lengths. */
const MAX_NAME = 200;
/** How much of a name may be wrong. `maxRetry` differs from `maxRetries` by 3 of its 8 characters. */
const SHARE_OF_MISTAKES = 0.4;
/** A shorter part is contained in too many names. */
const MIN_PART = 3;

/**
 * The candidate that a misspelled name most likely means: the one that takes the fewest mistakes, or else the only one that
 * contains the name (`token` means `apiToken`). Upper and lower case count as equal. Of equally near ones the first.
 * @returns undefined when no candidate is near
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  const known = [...candidates].filter((candidate) => candidate.length <= MAX_NAME);
  if (wanted.length === 0 || wanted.length > MAX_NAME) return undefined;
  let best: string | undefined;
  let fewest = Math.floor(wanted.length * SHARE_OF_MISTAKES) + 1;
  for (const candidate of known) {
    // A difference in length is at least as many mistakes.
    if (Math.abs(candidate.length - wanted.length) >= fewest) continue;
    const found = mistakes(wanted, candidate.toLowerCase());
    if (found < fewest) [best, fewest] = [candidate, found];
  }
  return best ?? onlyOneWith(wanted, known);
}

/** The end of an error about a name that does not exist: ` Did you mean "apiToken"?`, or "" when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const found = nearest(name, candidates);
  return found === undefined ? "" : ` Did you mean ${JSON.stringify(found)}?`;
}

function onlyOneWith(part: string, candidates: readonly string[]): string | undefined {
  if (part.length < MIN_PART) return undefined;
  const [only, ...others] = candidates.filter((candidate) => candidate.toLowerCase().includes(part));
  return others.length === 0 ? only : undefined;
}

/**
 * How many mistakes make one text of another: a character that is missing, added or wrong, or two neighbours that changed
 * places: the distance of Damerau and Levenshtein, restricted to neighbours.
 */
function mistakes(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_unused, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isEqual = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const ways = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isEqual ? 0 : 1),
        ...(isSwapped ? [at(beforeLast, column - 2) + 1] : []),
      ];
      current.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
