import type { PreviewenvError } from "../client/errors";
import type { KnownVariable } from "./variable";

/** What became of variables that had to be written or deleted, name by name. */
export interface Outcome {
  /** Written, with the value that the service has now. */
  readonly stored: Map<string, KnownVariable>;
  /** Already as declared, and visible: taken over without a write. */
  readonly adopted: Map<string, KnownVariable>;
  /** Neither written nor deleted: the reasons, in the service's words, without values. */
  readonly failed: Map<string, string>;
  /** Of those that failed, the ones that the service may have stored. State has their names, with placeholders. */
  readonly uncertain: Map<string, KnownVariable>;
  readonly deleted: Set<string>;
  /** Not deleted, because another resource of the program has them now. */
  readonly left: Set<string>;
  /** The error that ended the writing before its end. */
  abortedBy: PreviewenvError | undefined;
}

/** Nothing was done yet. */
export function emptyOutcome(): Outcome {
  return {
    stored: new Map(),
    adopted: new Map(),
    failed: new Map(),
    uncertain: new Map(),
    deleted: new Set(),
    left: new Set(),
    abortedBy: undefined,
  };
}

/** Whether the service may have something else now than before. */
export function hasChanged({ stored, uncertain, deleted }: Outcome): boolean {
  return stored.size + uncertain.size + deleted.size > 0;
}
