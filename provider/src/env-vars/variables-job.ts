import type { EnvVar } from "../client/env-vars";
import type { PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import type { OnConflict } from "./on-conflict";
import type { Step } from "./plan";
import type { OwnVariable, StoredVariable, Variable } from "./variable";

/** What one resource wants of the variables of an environment. */
export interface VariablesJob {
  readonly ctx: Context;
  readonly environmentId: string;
  readonly onConflict: OnConflict;
  /** A create writes nothing when a variable that must exist does not. */
  readonly operation: "create" | "update" | "delete";
  /** What state has, by name. */
  readonly stored: ReadonlyMap<string, StoredVariable>;
  readonly declared: readonly Variable[];
  /** Whether every declared variable is written again. */
  readonly isTriggered: boolean;
}

/** What became of one variable that had to be written or deleted. */
export type Result =
  /** Now as declared. `taken over`: without a write. `listed`: the service's own record, where it gave one. */
  | { readonly outcome: "written" | "taken over"; readonly now: OwnVariable; readonly listed: EnvVar | undefined }
  /**
   * Neither written nor deleted. `reason`: in the service's words, without values. `now`: what state has of it, where that is not what
   * it had before: `unknown` when the service may have stored it, `existing` as it was found.
   */
  | { readonly outcome: "failed"; readonly reason: string; readonly now?: OwnVariable }
  | { readonly outcome: "deleted" }
  /** Not deleted: another resource has it now. */
  | { readonly outcome: "owned by another" }
  /** Not deleted: another resource of the program declares it, and is not known to have written it yet. */
  | { readonly outcome: "declared by another" }
  /** Not deleted: somebody has written it since this stack last saw it. */
  | { readonly outcome: "written since" };

/** What became of an order. */
export interface JobOutcome {
  readonly steps: readonly Step[];
  /** By name. What needed nothing has no result. */
  readonly results: Map<string, Result>;
  /** The error that ended the writing before its end. */
  abortedBy: PreviewenvError | undefined;
}

/** Why names were not written or deleted, by name, without values. */
export function failuresIn(results: Iterable<readonly [string, Result]>): ReadonlyMap<string, string> {
  return new Map(
    [...results].flatMap(([name, result]) => (result.outcome === "failed" ? [[name, result.reason]] : [])),
  );
}

/** Whether the service may have stored a variable whose write failed. */
export function isUncertain(result: Result | undefined): boolean {
  return result?.outcome === "failed" && result.now?.kind === "unknown";
}
