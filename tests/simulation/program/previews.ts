import type { BranchesModel, ProgramModel } from "./model";
import { DEED_ENVIRONMENT, nameOf } from "./model";
import type { Wanted } from "./wanted";

/** Names that a program declares for each environment, and nobody else uses. */
const VISIBLE = "PREVIEW_URL";
const HIDDEN = "PREVIEW_KEY";
const BRANCHES: BranchesModel = {
  environment: 0,
  renamed: false,
  branches: { web: "main" },
  rebuilds: true,
  looks: false,
  waits: true,
  restores: false,
  whenStopped: "skip",
  requires: [],
};

/** The branches of an environment, and the Pulumi name of the resource that declares them. */
export interface DeclaredBranches {
  readonly name: string;
  readonly branches: BranchesModel;
  /** Whether they stand beside the set that is declared for each environment. */
  readonly isPreview: boolean;
}

/** Pulumi names of what is declared for each environment. */
export function previewNames(environment: number): { readonly set: string; readonly branches: string } {
  return { set: `preview-${environment}`, branches: `deployed-${environment}` };
}

/** Whether the set that is declared for each environment is declared for this one. */
export function hasPreview({ previews, listed }: ProgramModel, environment: number): boolean {
  return previews !== undefined && listed.includes(environment);
}

/** What that set declares. */
export function previewVariables(model: ProgramModel, environment: number): ReadonlyMap<string, Wanted> {
  const { previews } = model;
  if (previews === undefined || !hasPreview(model, environment)) return new Map();
  const { set: owner } = previewNames(environment);
  const { index } = previews;
  const of = (value: string, hidden: boolean): Wanted => ({ value, hidden, services: [], owner, overwrite: false });
  return new Map([
    [VISIBLE, of(`preview ${index} of ${environment}`, false)],
    [HIDDEN, of(`sk-${index}-of-preview-${environment}-9x`, true)],
  ]);
}

/** Pulumi names of the two sets that are declared for each environment. */
export function pairNames(environment: number): { readonly first: string; readonly second: string } {
  return { first: `first-${environment}`, second: `second-${environment}` };
}

/** What the two sets of an environment declare. */
export function pairVariables({ pairs, listed }: ProgramModel, environment: number): ReadonlyMap<string, Wanted> {
  if (pairs === undefined || !listed.includes(environment)) return new Map();
  const { index, moved } = pairs;
  const { first, second } = pairNames(environment);
  const of = (owner: string, value: string, hidden: boolean): Wanted => {
    return { value, hidden, services: [], owner, overwrite: false };
  };
  const owner = moved ? second : first;
  return new Map([
    ["PAIR_FIRST", of(first, `first of ${environment}`, false)],
    ["PAIR_SECOND", of(second, `second of ${environment}`, false)],
    ["PAIR_X", of(owner, `pair ${index} of ${environment}`, false)],
    ["PAIR_S", of(owner, `sk-${index}-of-pair-${environment}-9x`, true)],
  ]);
}

/** Who declares the branches of an environment: one resource at most, or the classes of the SDK refuse the program. */
export function branchesOf(model: ProgramModel, environment: number): DeclaredBranches | undefined {
  const { branches, previews, power, deeds } = model;
  if (branches !== undefined && branches.environment === environment)
    return { name: nameOf("b", branches), branches, isPreview: false };
  const isElsewhere =
    (environment === 0 && power !== undefined) || (environment === DEED_ENVIRONMENT && deeds.size > 0);
  if (previews?.builds !== true || isElsewhere || !hasPreview(model, environment)) return undefined;
  return { name: previewNames(environment).branches, branches: { ...BRANCHES, environment }, isPreview: true };
}
