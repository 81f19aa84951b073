import type { Invariant } from "../violation";

/** A deliberate bug: a piece of the sources below provider/src, and what stands in its place. */
export interface Mutation {
  readonly title: string;
  /** Found by its shape, wherever it is and whatever its names have become; place.ts says how. */
  readonly from: string;
  /** The names that it shares with `from` follow their new spelling. */
  readonly to: string;
  /** The promise that catches it; others may, too. */
  readonly breaks: Invariant;
}
