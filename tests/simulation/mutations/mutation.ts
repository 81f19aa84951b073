import type { Invariant } from "../violation";

/** A deliberate bug: a piece of a source file below provider/src, and what stands in its place. */
export interface Mutation {
  readonly title: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The promise that catches it; others may, too. */
  readonly breaks: Invariant;
}
