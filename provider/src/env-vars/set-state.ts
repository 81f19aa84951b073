import * as z from "zod";
import { isMap, pick, type Properties } from "../framework/properties";
import { readStored } from "../framework/stored-state";
import { declaredScopes, type KnownVariable, scope, type Variable } from "./variable";

/** What an EnvVarSet declares, as far as variables go. */
export interface Declaration {
  readonly environmentId: string;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  readonly services?: readonly string[] | undefined;
  readonly scopes?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Bookkeeping of a set, frozen: no mask and no hash of a value stands in it. */
export const observedSchema = z.looseObject({
  v: z.literal(1),
  /** `updated_at` of each variable of the set, as the service gave it. */
  at: z.record(z.string(), z.string()),
  /** Names whose last write failed although state already holds the declared value. */
  owed: z.array(z.string()).optional(),
  /** Names that the last create or update did not write or delete; gone once one has succeeded. */
  unfinished: z.array(z.string()).optional(),
  /** Secrets that an unfinished update wrote, and the engine's inputs lack: a refresh must not show their values there. */
  unmarked: z.array(z.string()).optional(),
  /** When a refresh saw that somebody had changed the scope of a secret, whose value may be another one since. */
  scopeChangedAt: z.record(z.string(), z.string()).optional(),
  /** What a refresh found beside the values of secrets, which are encrypted and cannot tell: `visible`. */
  notes: z.record(z.string(), z.string()).optional(),
});

/** What is read of a set's state. A program that looks at what something else manages gives inputs in its place. */
export const storedSet = z
  .looseObject({
    variables: z.record(z.string(), z.string()).optional(),
    secrets: z.record(z.string(), z.string()).optional(),
    services: z.array(z.string()).optional(),
    scopes: z.record(z.string(), z.array(z.string())).optional(),
    revision: z.string().optional(),
    observed: observedSchema.optional(),
  })
  // Every set that was ever stored has both: without the times nothing would be its own, and a destroy would delete nothing.
  .refine(({ revision, observed }) => revision === undefined || observed !== undefined, { path: ["observed"] });

function read(state: Properties): z.output<typeof storedSet> {
  return readStored("EnvVarSet", storedSet, state);
}

/** The declared variables, in the order in which they are written: by name. */
export function declared({ variables = {}, secrets = {}, services, scopes = {} }: Declaration): readonly Variable[] {
  const ofSet = scope(services);
  const own = new Map(Object.entries(scopes));
  const scopeOf = (name: string): readonly string[] => {
    const one = own.get(name);
    return one === undefined ? ofSet : scope(one);
  };
  const entry =
    (hidden: boolean) =>
    ([name, value]: [string, string]): Variable => ({ name, value, hidden, services: scopeOf(name) });
  return [...Object.entries(variables).map(entry(false)), ...Object.entries(secrets).map(entry(true))].toSorted(
    (left, right) => (left.name < right.name ? -1 : 1),
  );
}

/** What state knows, by name; or what inputs declare. @throws UnreadableStateError */
export function known(state: Properties): ReadonlyMap<string, KnownVariable> {
  const { variables, secrets, services, scopes, observed } = read(state);
  const scopeChanges = new Map(Object.entries(observed?.scopeChangedAt ?? {}));
  const at = new Map(Object.entries(observed?.at ?? {}));
  const owed = new Set(observed?.owed);
  const unmarked = new Set(observed?.unmarked);
  return new Map(
    declared({ environmentId: "", variables, secrets, services, scopes }).map((variable) => {
      const scopeChangedAt = scopeChanges.get(variable.name);
      const one: KnownVariable = {
        ...variable,
        updatedAt: at.get(variable.name),
        owed: owed.has(variable.name) || scopeChangedAt !== undefined,
        ...(scopeChangedAt !== undefined && { scopeChangedAt }),
        ...(unmarked.has(variable.name) && { isUnmarked: true }),
      };
      return [variable.name, one];
    }),
  );
}

/** Names that the last create or update did not write or delete; `undefined` when it succeeded, or did not keep them. */
export function unfinished(state: Properties): readonly string[] | undefined {
  return read(state).observed?.unfinished;
}

/** State of a set: its inputs, with the variables as they are now; `open` names what was not written or deleted. */
export function toState(
  inputs: Properties,
  variables: Iterable<KnownVariable>,
  revision: unknown,
  open: readonly string[] = [],
): Properties {
  const all = [...variables].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const map = (name: string, hidden: boolean): Properties => {
    const entries = all.filter((variable) => variable.hidden === hidden).map((one) => [one.name, one.value]);
    return entries.length > 0 || isMap(inputs[name]) ? { [name]: Object.fromEntries(entries) } : {};
  };
  const notes = all.flatMap(({ name, hidden, note }) => (hidden && note !== undefined ? [[name, note]] : []));
  const scopeChanges = all.flatMap(({ name, scopeChangedAt }) =>
    scopeChangedAt === undefined ? [] : [[name, scopeChangedAt]],
  );
  const owed = all.filter((variable) => variable.owed && variable.scopeChangedAt === undefined).map(({ name }) => name);
  const unmarked = all.filter(({ hidden, isUnmarked }) => hidden && isUnmarked === true).map(({ name }) => name);
  const { variables: _variables, secrets: _secrets, scopes: _scopes, ...rest } = inputs;
  return {
    ...rest,
    ...map("variables", false),
    ...map("secrets", true),
    ...scopesOf(inputs, all),
    revision,
    observed: {
      v: 1,
      at: Object.fromEntries(
        all.flatMap(({ name, updatedAt }) => (updatedAt === undefined ? [] : [[name, updatedAt]])),
      ),
      ...(owed.length > 0 && { owed }),
      ...(open.length > 0 && { unfinished: open.toSorted() }),
      ...(unmarked.length > 0 && { unmarked }),
      ...(scopeChanges.length > 0 && { scopeChangedAt: Object.fromEntries(scopeChanges) }),
      ...(notes.length > 0 && { notes: Object.fromEntries(notes) }),
    },
  };
}

/** The scopes that differ from `services`; of what a refresh of a pruning set merely saw, nobody declares one. */
function scopesOf(inputs: Properties, all: readonly KnownVariable[]): Properties {
  const { services = [] } = read(pick(inputs, ["services"]));
  const own = all.filter(({ updatedAt }) => updatedAt !== undefined);
  const scopes = declaredScopes(Object.fromEntries(own.map((one) => [one.name, one.services])), services);
  return Object.keys(scopes).length > 0 || isMap(inputs["scopes"]) ? { scopes } : {};
}
