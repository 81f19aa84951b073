import { type BranchesModel, emptyBranches, nameOf, type ProgramModel, singleName } from "./model";

/** A variable as the service is to hold it. */
export interface Wanted {
  readonly value: string;
  readonly hidden: boolean;
  readonly services: readonly string[];
  /** Key of the resource that declares it: its Pulumi name. */
  readonly owner: string;
  readonly overwrite: boolean;
}

export function wantedVariables(model: ProgramModel, environment: number): ReadonlyMap<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const key of ["s", "t"] as const) {
    const set = model[key];
    if (set?.environment !== environment) continue;
    const { overwrite } = set;
    for (const [name, variable] of set.variables) {
      const services = set.scopes.get(name) ?? set.services;
      wanted.set(name, { ...variable, services, owner: nameOf(key, set), overwrite });
    }
  }
  if (environment === 0)
    for (const [name, single] of model.singles)
      wanted.set(name, { ...single, owner: singleName(model, name), overwrite: false });
  for (const [name, one] of previewVariables(model, environment)) wanted.set(name, one);
  return wanted;
}

/** Names that a program declares for each environment, and nobody else uses. */
const VISIBLE = "PREVIEW_URL";
const HIDDEN = "PREVIEW_KEY";
const BRANCHES: BranchesModel = { ...emptyBranches, branches: { web: "main" }, whenStopped: "skip" };

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

/** Who declares the branches of an environment: one resource at most, or the classes of the SDK refuse the program. */
export function branchesOf(model: ProgramModel, environment: number): DeclaredBranches | undefined {
  const { branches, previews, power } = model;
  if (branches !== undefined && branches.environment === environment)
    return { name: nameOf("b", branches), branches, isPreview: false };
  const isElsewhere = environment === 0 && power !== undefined;
  if (previews?.builds !== true || isElsewhere || !hasPreview(model, environment)) return undefined;
  return { name: previewNames(environment).branches, branches: { ...BRANCHES, environment }, isPreview: true };
}
