import { distance } from "fastest-levenshtein";

/** Longer names are not compared: nobody types them by hand, and comparing costs the product of both lengths. */
const MAX_NAME = 200;
/** How much of a name may be wrong, rounded up: two letters that changed places are two mistakes, and `wbe` means `web`. */
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
  if (wanted.length === 0 || wanted.length > MAX_NAME) return undefined;
  const spellings = new Map([...candidates].map((candidate) => [candidate.toLowerCase(), candidate]));
  const compared = [...spellings.keys()].filter(({ length }) => length <= MAX_NAME);
  const maxMistakes = Math.ceil(wanted.length * SHARE_OF_MISTAKES);
  const near = compared
    .map((candidate) => ({ candidate, mistakes: distance(wanted, candidate) }))
    .filter(({ mistakes }) => mistakes <= maxMistakes)
    .toSorted((left, right) => left.mistakes - right.mistakes);
  const meant = near[0]?.candidate ?? onlyOneWith(wanted, compared);
  return meant === undefined ? undefined : spellings.get(meant);
}

/** The end of an error about a name that does not exist: ` Did you mean "apiToken"?`, or "" when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const meant = nearest(name, candidates);
  return meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`;
}

function onlyOneWith(part: string, candidates: readonly string[]): string | undefined {
  if (part.length < MIN_PART) return undefined;
  const [only, ...others] = candidates.filter((candidate) => candidate.includes(part));
  return others.length === 0 ? only : undefined;
}
