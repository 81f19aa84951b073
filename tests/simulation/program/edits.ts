import {
  type BranchesModel,
  type Declaration,
  emptyBranches,
  type Given,
  type Owner,
  type Power,
  type PreviewsModel,
  type ProgramModel,
  type Served,
  type SetModel,
  type SinglesModel,
  type WhenStopped,
} from "./model";

/** One change of a program by its author. */
export type Edit =
  | ({ readonly edit: "declare"; readonly in: Owner; readonly name: string } & Declaration)
  /** Moves a variable as it is. */
  | { readonly edit: "give"; readonly name: string; readonly to: Owner }
  | { readonly edit: "drop"; readonly name: string }
  | { readonly edit: "services"; readonly of: Owner; readonly services: readonly string[] }
  /** Services of one variable of a set. */
  | { readonly edit: "scope"; readonly of: "s" | "t"; readonly name: string; readonly services: readonly string[] }
  | { readonly edit: "remove" | "rename"; readonly of: "s" | "t" | "branches" }
  | { readonly edit: "trigger"; readonly of: "s" | "t" }
  | { readonly edit: "overwrite" | "prune" | "deletesFirst" | "imports"; readonly of: "s" | "t" }
  /** Of all EnvVars. */
  | { readonly edit: "singles"; readonly what: keyof SinglesModel }
  /** The second Provider serves it from now on, or does so no more. */
  | { readonly edit: "provider"; readonly of: Served }
  | { readonly edit: "move"; readonly of: "s" | "t" | "branches"; readonly to: number }
  | { readonly edit: "ignore"; readonly of: "s" | "t"; readonly paths: readonly string[] }
  | { readonly edit: "branch"; readonly repo: string; readonly branch: string }
  | { readonly edit: "rebuilds" | "looks" | "waits" | "restores" }
  | { readonly edit: "whenStopped"; readonly whenStopped: WhenStopped }
  | { readonly edit: "requires"; readonly names: readonly string[] }
  | { readonly edit: "power"; readonly power: Power | undefined }
  | { readonly edit: "previews"; readonly previews: PreviewsModel | undefined }
  | { readonly edit: "gets"; readonly given: Given | undefined };

const emptySet: SetModel = {
  environment: 0,
  services: [],
  overwrite: false,
  renamed: false,
  ignore: [],
  variables: new Map(),
  scopes: new Map(),
  prune: false,
  triggers: 0,
  deletesFirst: false,
  imports: false,
};

/** The program after an edit. An edit of something that is not there changes nothing. */
export function edited(program: ProgramModel, change: Edit): ProgramModel {
  switch (change.edit) {
    case "declare":
      return declare(without(program, change.name), change);
    case "give": {
      const { name } = change;
      const found = program.s?.variables.get(name) ?? program.t?.variables.get(name) ?? program.singles.get(name);
      if (found === undefined) return program;
      return declare(without(program, name), { edit: "declare", in: change.to, name, ...found });
    }
    case "drop":
      return without(program, change.name);
    case "services":
      return scoped(program, change.of, change.services);
    case "scope":
      return onSet(program, change.of, (set) => ({
        ...set,
        scopes: new Map([...set.scopes, [change.name, change.services]]),
      }));
    case "branch": {
      const branches = program.branches ?? emptyBranches;
      return {
        ...program,
        branches: { ...branches, branches: { ...branches.branches, [change.repo]: change.branch } },
      };
    }
    case "whenStopped":
      return onBranches(program, { whenStopped: change.whenStopped });
    case "requires":
      return onBranches(program, { requires: change.names });
    case "power":
      return { ...program, power: change.power };
    case "previews":
      return { ...program, previews: change.previews };
    case "gets":
      return { ...program, gets: change.given };
    case "singles": {
      const { allSingles } = program;
      return { ...program, allSingles: { ...allSingles, [change.what]: !allSingles[change.what] } };
    }
    case "provider": {
      const others = new Set([...program.apart].filter((one) => one !== change.of));
      return { ...program, apart: program.apart.has(change.of) ? others : others.add(change.of) };
    }
    case "overwrite":
    case "prune":
    case "deletesFirst":
    case "imports":
      return onSet(program, change.of, (set) => ({ ...set, [change.edit]: !set[change.edit] }));
    case "rebuilds":
    case "looks":
    case "waits":
    case "restores":
      return onBranches(program, { [change.edit]: program.branches?.[change.edit] !== true });
    case "move":
      if (change.of === "branches") return onBranches(program, { environment: change.to });
      return onSet(program, change.of, (set) => ({ ...set, environment: change.to }));
    case "ignore":
      return onSet(program, change.of, (set) => ({ ...set, ignore: change.paths }));
    case "remove":
      return { ...program, [change.of]: undefined };
    case "rename":
      if (change.of === "branches") return onBranches(program, { renamed: program.branches?.renamed !== true });
      return onSet(program, change.of, (set) => ({ ...set, renamed: !set.renamed }));
    case "trigger":
      break;
  }
  return onSet(program, change.of, (set) => ({ ...set, triggers: set.triggers + 1 }));
}

function onBranches({ branches, ...program }: ProgramModel, change: Partial<BranchesModel>): ProgramModel {
  return branches === undefined ? program : { ...program, branches: { ...branches, ...change } };
}

function onSet(program: ProgramModel, of: "s" | "t", change: (set: SetModel) => SetModel): ProgramModel {
  const set = program[of];
  return set === undefined ? program : { ...program, [of]: change(set) };
}

function scoped(program: ProgramModel, of: Owner, services: readonly string[]): ProgramModel {
  if (of !== "single") return onSet(program, of, (set) => ({ ...set, services }));
  const singles = [...program.singles].map(([name, single]) => [name, { ...single, services }] as const);
  return { ...program, singles: new Map(singles) };
}

function declare(program: ProgramModel, { in: owner, name, value, hidden }: Edit & { edit: "declare" }): ProgramModel {
  if (owner === "single") {
    return { ...program, singles: new Map([...program.singles, [name, { value, hidden, services: [] }]]) };
  }
  const set = program[owner] ?? emptySet;
  return { ...program, [owner]: { ...set, variables: new Map([...set.variables, [name, { value, hidden }]]) } };
}

/** A name belongs to one resource: the classes of the SDK refuse anything else. */
function without(program: ProgramModel, name: string): ProgramModel {
  const strip = <T>(map: ReadonlyMap<string, T>) => new Map([...map].filter(([key]) => key !== name));
  const bare = (set: SetModel | undefined) => set && { ...set, variables: strip(set.variables) };
  return { ...program, s: bare(program.s), t: bare(program.t), singles: strip(program.singles) };
}
