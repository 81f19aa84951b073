import type { EnvVar } from "../client/env-vars";
import type { PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import type { Deleter } from "../run/owned-names";
import type { OnConflict } from "./comparison";
import type { Step, Target } from "./plan";
import type { OwnVariable, StoredVariable } from "./variable";

/** What became of one variable that had to be written or deleted. */
export type Result =
  /** Now as declared; `taken over`: without a write. `listed`: the service's own record, where it gave one. */
  | { readonly is: "written" | "taken over"; readonly now: OwnVariable; readonly listed: EnvVar | undefined }
  /**
   * Neither written nor deleted. `reason`: in the service's words, without values. `now`: what state has of it, where that is not what
   * it had before: `unknown` when the service may have stored it, `existing` as it was found.
   */
  | { readonly is: "failed"; readonly reason: string; readonly now?: OwnVariable }
  | { readonly is: "deleted" }
  /** Not deleted: another resource has it now. */
  | { readonly is: "owned by another" }
  /** Not deleted: another resource of the program declares it, and is not known to have written it yet. */
  | { readonly is: "declared by another" }
  /** Not deleted: somebody has written it since this stack last saw it. */
  | { readonly is: "written since" };

/** What one resource wants of the variables of an environment. */
export interface Order {
  readonly ctx: Context;
  readonly environmentId: string;
  readonly onConflict: OnConflict;
  /** Nothing is written when a variable that must exist does not. */
  readonly isCreate?: boolean;
  /** Who deletes what is dropped. */
  readonly by: Deleter;
  /** What state has, by name. */
  readonly stored: ReadonlyMap<string, StoredVariable>;
  readonly target: Target;
}

/** What became of an order. */
export interface Done {
  readonly steps: readonly Step[];
  /** By name. What needed nothing has no result. */
  readonly results: Map<string, Result>;
  /** The error that ended the writing before its end. */
  abortedBy: PreviewenvError | undefined;
}

/** Names with one of these results. */
export function namesWith({ results }: Done, ...kinds: readonly Result["is"][]): readonly string[] {
  return [...results].flatMap(([name, result]) => (kinds.includes(result.is) ? [name] : []));
}

/** Whether the service may have stored a variable whose write failed. */
export function isUncertain(result: Result | undefined): boolean {
  return result?.is === "failed" && result.now?.is === "unknown";
}

/** Whether the service may have something else now than before. */
export function hasChanged({ results }: Done): boolean {
  return [...results.values()].some(
    (result) => result.is === "written" || result.is === "deleted" || isUncertain(result),
  );
}
