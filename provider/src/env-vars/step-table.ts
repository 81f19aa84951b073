import type { Variable } from "./variable";
import { see } from "../client/troubleshooting";

/** The facts that decide about one variable. */
export interface Facts {
  /**
   * The record in state. `nothing`: no variable of this resource. `other`: anything else, including an unmanaged variable that `prune` may
   * delete. Only of a declared name: `same`: the declared one. `triggered`: whatever it is, `triggers` has it written again. `deleted`: whatever
   * it is, another resource has deleted the variable in this run. Only of a name that is not declared: `existing`: its value is left to the
   * service. `imported`: an import of this run has only looked at it. `kept`: the set prunes, and its `keep` matches the name.
   */
  readonly inState: "nothing" | "same" | "triggered" | "deleted" | "other" | "existing" | "imported" | "kept";
  /** The value in the program. */
  readonly inProgram: Variable["kind"] | "nothing";
  /**
   * What was found under the name, in the service's list or in the run. `unread`: not asked yet. `missing`: nothing. Only of a declared name:
   * `overwritable`: what is there may be written over, since a state of this stack has it, or `onConflict` says so. `same`: the declared one.
   * `masked`: a hidden one that may be the declared one. `unchangeable`: a hidden one with other services, or in the place of a visible one, and
   * its value is left to the service. `other`: any other one. Only of a name that is not declared: `inUse`: another resource of the run holds it,
   * or has written it. `lookedUp`: the program looks at it with `get`. `claimed`: another resource of the program declares it, and may be one that
   * has failed in this run. `changed`: somebody wrote it after state was stored. `asStored`: nobody did, as far as its time tells. `unlisted`: the
   * list lacks what state owns, perhaps because it lags behind writes. `alike`: so it does, and has a name that the service may take for the same.
   */
  readonly found:
    | "unread"
    | "missing"
    | "overwritable"
    | "same"
    | "masked"
    | "unchangeable"
    | "other"
    | "inUse"
    | "lookedUp"
    | "claimed"
    | "changed"
    | "asStored"
    | "unlisted"
    | "alike";
}

/**
 * An answer to the facts. `undecided`: the list or the run decides next. `take over`: state has it from now on, without a request.
 * `conflict`: nothing of the resource is written. `refuse`: this one is not written, or not deleted. `forget`: it leaves state without a
 * request: it is not there, or stays there.
 */
export type Action = "keep" | "undecided" | "write" | "take over" | "conflict" | "refuse" | "delete" | "forget";

/** A row of the table. A fact that is left out may be anything. `why`: the reason of a refusal, for people. */
export interface Row extends Partial<Facts> {
  readonly action: Action;
  readonly why?: string;
}

const VALUE_NOT_KNOWN =
  "not sent, because its value is not known (a refresh left a placeholder in its place): " +
  `declare the value in the program, and take the name out of ignoreChanges. ${see("value-not-known")}`;
/** An import declares `existing()`, too, and `ignoreChanges` keeps that, whatever the program declares. */
const DECLARE_A_VALUE = "declare a value in the program, outside of `ignoreChanges`";
const MISSING =
  "declared with `existing()`, and the environment does not have it: create it there, or " +
  `${DECLARE_A_VALUE}. ${see("no-such-variable")}`;
const UNCHANGEABLE =
  "its services or visibility cannot be changed, because the service hides its value, and the program or an import declares `existing()`: " +
  "declare them as they are (`services`, in a set also `scopes`), change them in the dashboard, or " +
  DECLARE_A_VALUE;

const CLAIMED =
  "Not deleted, because another resource of the program declares it and has not written it, and a create or update of this environment " +
  "failed in this run.";

/** The table of what becomes of one variable. The first row that fits counts. Diff, preview, write and delete all follow it. */
export const TABLE: readonly Row[] = [
  { inState: "same", action: "keep" },

  { inProgram: "value", inState: "other", action: "write" },
  { inProgram: "value", inState: "triggered", action: "write" },
  { inProgram: "value", inState: "deleted", action: "write" },
  { inProgram: "value", found: "unread", action: "undecided" },
  { inProgram: "value", found: "missing", action: "write" },
  { inProgram: "value", found: "overwritable", action: "write" },
  { inProgram: "value", found: "same", action: "take over" },
  // A warning names it: nobody can see whether it is the declared value.
  { inProgram: "value", found: "masked", action: "write" },
  { inProgram: "value", found: "other", action: "conflict" },

  { inProgram: "placeholder", action: "refuse", why: VALUE_NOT_KNOWN },

  { inProgram: "existing", found: "unread", action: "undecided" },
  { inProgram: "existing", found: "missing", action: "refuse", why: MISSING },
  { inProgram: "existing", found: "same", action: "take over" },
  { inProgram: "existing", found: "unchangeable", action: "refuse", why: UNCHANGEABLE },
  // With the value that was just read.
  { inProgram: "existing", found: "other", action: "write" },

  // In a set that prunes, a warning names these two.
  { inProgram: "nothing", inState: "existing", action: "forget" },
  { inProgram: "nothing", inState: "imported", action: "forget" },
  // A message names it.
  { inProgram: "nothing", inState: "kept", action: "forget" },
  { inProgram: "nothing", found: "unread", action: "undecided" },
  { inProgram: "nothing", found: "inUse", action: "forget" },
  // A warning names it.
  { inProgram: "nothing", found: "lookedUp", action: "forget" },
  { inProgram: "nothing", found: "claimed", action: "refuse", why: CLAIMED },
  // A warning names it.
  { inProgram: "nothing", found: "changed", action: "forget" },
  { inProgram: "nothing", found: "missing", action: "forget" },
  // A warning names it.
  { inProgram: "nothing", found: "alike", action: "forget" },
  { inProgram: "nothing", found: "unlisted", action: "delete" },
  { inProgram: "nothing", found: "asStored", action: "delete" },
];

/** The first row of the table that fits. */
export function rowFor(facts: Facts): Row {
  const { inState, inProgram, found } = facts;
  const fits = (row: Row): boolean =>
    (row.inState ?? inState) === inState &&
    (row.inProgram ?? inProgram) === inProgram &&
    (row.found ?? found) === found;
  const row = TABLE.find(fits);
  if (row === undefined) throw new TypeError(`no row of the table fits ${JSON.stringify(facts)}`);
  return row;
}
