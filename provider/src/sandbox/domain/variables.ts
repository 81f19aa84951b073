import { refuseUnknown } from "./fields";
import type { Environment, Variable } from "./model";
import type { Store } from "./store";
import { MS_PER_HOUR } from "./timestamps";

/** A variable as somebody asks for it. */
export interface VariableSeed {
  readonly name: string;
  readonly value: string;
  /** Default true, as in the specification. */
  readonly hidden?: boolean | undefined;
  /** Default: every service. */
  readonly services?: readonly string[] | undefined;
}

/** Also what a view of a variable shows besides: `{ ...world.variable(id, name), value }` sets it again. */
const SEED_FIELDS: Readonly<Record<keyof VariableSeed | "id" | "createdAt" | "updatedAt", true>> = {
  name: true,
  value: true,
  hidden: true,
  services: true,
  id: true,
  createdAt: true,
  updatedAt: true,
};

/** A new variable, created and updated now, as the service's clock for variables says. */
export function newVariable(store: Store, seed: VariableSeed): Variable {
  refuseUnknown(seed, SEED_FIELDS, "the variable");
  const nowMs = store.clock.now() + store.choices.variableTimesAheadHours * MS_PER_HOUR;
  return {
    id: store.newId(),
    name: seed.name,
    value: seed.value,
    hidden: seed.hidden ?? true,
    services: [...(seed.services ?? [])],
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** "When a variable with the same name exists, its value is updated. Otherwise a new variable is created." */
export function upsert(store: Store, environment: Environment, seed: VariableSeed): void {
  const fresh = newVariable(store, seed);
  const existing = environment.variables.get(seed.name);
  environment.variables.set(seed.name, existing === undefined ? fresh : merge(store, existing, fresh));
}

/** The same in a request: of what is sent, the service stores what was chosen. */
export function upsertSent(store: Store, environment: Environment, seed: VariableSeed): void {
  const { upsertOfExisting, storedValue } = store.choices;
  const value = storedValue === "trimmed" ? seed.value.trim() : seed.value;
  const existing = upsertOfExisting === "valueOnly" ? environment.variables.get(seed.name) : undefined;
  const { hidden, services } = existing ?? seed;
  upsert(store, environment, { name: seed.name, value, hidden, services });
}

function merge(store: Store, existing: Variable, fresh: Variable): Variable {
  const merged = { ...fresh, id: existing.id, createdAtMs: existing.createdAtMs };
  if (store.choices.updatedAtOnEqualWrite || !isEqual(existing, fresh)) return merged;
  return { ...merged, updatedAtMs: existing.updatedAtMs };
}

function isEqual(one: Variable, other: Variable): boolean {
  return (
    one.value === other.value &&
    one.hidden === other.hidden &&
    JSON.stringify(one.services) === JSON.stringify(other.services)
  );
}
