import { nameOf, type ProgramModel, singleName } from "./model";
import { pairVariables, previewVariables } from "./previews";

/** A variable as the service is to hold it. */
export interface Wanted {
  readonly value: string;
  readonly hidden: boolean;
  readonly services: readonly string[];
  /** Key of the resource that declares it: its Pulumi name. */
  readonly owner: string;
  readonly overwrite: boolean;
}

/** What a program declares in one environment, by name. */
export function wantedVariables(model: ProgramModel, environment: number): ReadonlyMap<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const key of ["s", "t"] as const) {
    const set = model[key];
    if (set?.environment !== environment) continue;
    const { services, overwrite } = set;
    const entry = (hidden: boolean, name: string, value: string) =>
      wanted.set(name, {
        value,
        hidden,
        services: set.scopes.get(name) ?? services,
        owner: nameOf(key, set),
        overwrite,
      });
    for (const [name, value] of Object.entries(set.variables)) entry(false, name, value);
    for (const [name, value] of Object.entries(set.secrets)) entry(true, name, value);
  }
  if (environment === 0)
    for (const [name, single] of model.singles)
      wanted.set(name, { ...single, owner: singleName(model, name), overwrite: false });
  for (const [name, one] of previewVariables(model, environment)) wanted.set(name, one);
  for (const [name, one] of pairVariables(model, environment)) wanted.set(name, one);
  return wanted;
}
