import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import type { Foreign } from "../foreign";
import type { Owner } from "../program/model";
import { declare, declaredValue, otherEdit, weighted } from "./edits";
import { foreign, hiddenValue } from "./foreign";

export function edit(change: Edit): HistoryStep {
  return { do: "edit", change };
}

/** The author declares a variable, with one of the values of its kind. */
export function declares(of: Owner, one: string, index: number, hidden: boolean): HistoryStep {
  return edit({ edit: "declare", in: of, name: one, value: declaredValue(hidden, index), hidden });
}

/** A name goes to another resource: as it is, or with another value. */
export function moves(one: string, to: Owner, hidden: boolean, index: number | undefined): HistoryStep {
  return index === undefined ? edit({ edit: "give", name: one, to }) : declares(to, one, index, hidden);
}

/** The author puts a branch of a repository into the program. */
export function deploys(other: string, repo = "web"): HistoryStep {
  return edit({ edit: "branch", repo, branch: other });
}

export function byOthers(act: Foreign): HistoryStep {
  return { do: "foreign", act };
}

/** Others give a variable of the first environment a value. */
export function given(name: string, value: string, hidden: boolean, services: readonly string[] = []): HistoryStep {
  return byOthers({ act: "set", on: 0, name, value, hidden, services });
}

/** Others give a hidden variable a value that cannot be told from a declared one. */
export function retouched(name: string, index: number): HistoryStep {
  return given(name, hiddenValue(index, true), true);
}

export const editStep = weighted([3, declare], [4, otherEdit]).map(edit);
/** Something that others do, or a pause. */
export const foreignStep = weighted(
  [4, foreign.map(byOthers)],
  [1, fc.constantFrom(1, 3, 60).map((seconds): HistoryStep => ({ do: "wait", seconds }))],
);
