import * as z from "zod";
import { diffValue } from "../framework/diff";
import { matchesAny } from "../framework/globs";
import { isMap, pick, type Properties, StateShape } from "../framework/properties";
import { isImported } from "../framework/run-notes";
import type { EnvironmentInRun } from "../run/environment-in-run";
import { noteIn } from "./placeholder";
import type { StoredAndDeclared } from "./steps";
import {
  byVariableName,
  declaredScopes,
  isInOtherForm,
  isOwn,
  isPrunable,
  valueKindOf,
  type OwnVariable,
  scope,
  type StoredVariable,
  storedKindOf,
  type Variable,
} from "./variable";

/** The inputs of a set that have variables, value by name. */
export const MAPS = ["variables", "secrets"] as const;

/** No name that a resource can declare or import has a control character. */
const SEPARATOR = "\n";

/**
 * When the service last changed each variable of a set, as state holds it: for each time the names that have it, one a
 * line. Variables that were written together share a time. An entry for each name would cost several percent of every
 * operation: the engine, the provider and the program each read and write all entries (docs/decisions/0002).
 */
const updateTimesSchema = z.record(z.string(), z.string());

/** `updated_at` by name. */
type UpdateTimes = ReadonlyMap<string, string>;

/** The times in state, by name. */
function readUpdateTimes(stored: z.output<typeof updateTimesSchema>): UpdateTimes {
  return new Map(
    Object.entries(stored).flatMap(([time, names]) => names.split(SEPARATOR).map((name) => [name, time] as const)),
  );
}

/** The form for state. The names of a time keep their order. */
function storedUpdateTimes(times: UpdateTimes): z.output<typeof updateTimesSchema> {
  const byTime = Map.groupBy(times, ([, time]) => time);
  return Object.fromEntries([...byTime].map(([time, same]) => [time, same.map(([name]) => name).join(SEPARATOR)]));
}

/** Bookkeeping of a set, frozen: no mask and no hash of a value stands in it. */
export const observedSchema = z.looseObject({
  v: z.literal(1),
  /** Names of the variables of the set, by the `updated_at` that the service gave them. */
  names: updateTimesSchema,
  /** Names whose values the service keeps in another form than was sent. */
  otherForm: z.array(z.string()).optional(),
  /** `updated_at` of the variables that a refresh of a pruning set saw, and that nobody declares. */
  seenAt: z.record(z.string(), z.string()).optional(),
  /** Findings of a refresh beside the values of secrets, which are encrypted and cannot tell: `visible`. */
  notes: z.record(z.string(), z.string()).optional(),
});

type Observed = z.output<typeof observedSchema>;

const observedShape = new StateShape("EnvVarSet", z.looseObject({ observed: observedSchema.optional() }));

const schema = z
  .looseObject({
    variables: z.record(z.string(), z.string()).optional(),
    secrets: z.record(z.string(), z.string()).optional(),
    services: z.array(z.string()).optional(),
    scopes: z.record(z.string(), z.array(z.string())).optional(),
    revision: z.string().optional(),
    observed: observedSchema.optional(),
  })
  // Every set that was ever stored has both: without the times nothing would be its own, and a destroy would delete nothing.
  .refine(({ revision, observed }) => revision === undefined || observed !== undefined, { path: ["observed"] })
  // Without its value, a name would not be its own any more.
  .refine(
    ({ variables = {}, secrets = {}, observed }) =>
      [...readUpdateTimes(observed?.names ?? {}).keys()].every(
        (name) => Object.hasOwn(variables, name) || Object.hasOwn(secrets, name),
      ),
    { path: ["observed"] },
  );

type StoredSet = z.output<typeof schema>;

/** The part of a set's state that is read. A `get` passes its inputs instead of state. */
export const setShape = new StateShape("EnvVarSet", schema);

/** Bookkeeping in the state of a set, without its variables. @throws UnreadableStateError */
export function readObserved(state: Properties): Observed {
  return observedShape.parse(pick(state, ["environmentId", "observed"])).observed ?? { v: 1, names: {} };
}

/** When the service last changed each variable of a set, as its state says. @throws UnreadableStateError */
export function updateTimes(state: Properties): UpdateTimes {
  return readUpdateTimes(readObserved(state).names);
}

/**
 * The variables that state has, by name. A `get` passes its inputs instead of state: these own nothing, so their variables come out as
 * `unmanaged`. @throws UnreadableStateError
 */
export function storedVariables(state: Properties): ReadonlyMap<string, StoredVariable> {
  const { observed, ...declaration } = setShape.parse(state);
  const times = readUpdateTimes(observed?.names ?? {});
  const otherForm = new Set(observed?.otherForm);
  const seen = new Map(Object.entries(observed?.seenAt ?? {}));
  return new Map(
    variablesOfMaps(declaration).map((variable): [string, StoredVariable] => {
      const { name, value } = variable;
      const updatedAt = times.get(name);
      if (updatedAt === undefined) return [name, { ...variable, kind: "unmanaged", updatedAt: seen.get(name) ?? "" }];
      const own: OwnVariable = { ...variable, kind: storedKindOf(value), updatedAt };
      return [name, otherForm.has(name) ? { ...own, isOtherForm: true } : own];
    }),
  );
}

/** The variables in the maps of a set's inputs or state, in the order in which they are written: by name. */
function variablesOfMaps({
  variables = {},
  secrets = {},
  services: ofAll = [],
  scopes = {},
}: Pick<StoredSet, "variables" | "secrets" | "services" | "scopes">): readonly Variable[] {
  const ofSet = scope(ofAll);
  const ofVariables = new Map(Object.entries(scopes).map(([name, services]) => [name, scope(services)]));
  const inMap = (map: Readonly<Record<string, string>>, hidden: boolean): readonly Variable[] =>
    Object.entries(map).map(([name, value]) => {
      return { name, kind: valueKindOf(value), value, hidden, services: ofVariables.get(name) ?? ofSet };
    });
  return [...inMap(variables, false), ...inMap(secrets, true)].toSorted(byVariableName);
}

/** State of a set: its inputs, with the variables as they are now. */
export function toState(inputs: Properties, variables: Iterable<StoredVariable>, revision: unknown): Properties {
  const sorted = [...variables].toSorted(byVariableName);
  const own = sorted.filter(isOwn);
  const map = (name: string, hidden: boolean): Properties => {
    const entries = sorted
      .filter((variable) => variable.hidden === hidden)
      .map((variable) => [variable.name, variable.value]);
    return entries.length > 0 || isMap(inputs[name]) ? { [name]: Object.fromEntries(entries) } : {};
  };
  const others = sorted.filter((variable) => !isOwn(variable) && variable.updatedAt !== "");
  const { variables: _variables, secrets: _secrets, scopes: _scopes, ...rest } = inputs;
  return {
    ...rest,
    ...map("variables", false),
    ...map("secrets", true),
    ...scopesOf(inputs, own),
    revision,
    observed: {
      v: 1,
      names: storedUpdateTimes(new Map(own.map(({ name, updatedAt }) => [name, updatedAt]))),
      ...unlessEmpty({
        otherForm: own.filter(isInOtherForm).map(({ name }) => name),
        seenAt: Object.fromEntries(others.map(({ name, updatedAt }) => [name, updatedAt])),
        notes: Object.fromEntries(own.filter(isVisibleSecret).map(({ name }) => [name, "visible"])),
      }),
    },
  };
}

/** Whether a refresh found a visible variable in the place of a secret: its placeholder is encrypted, and cannot tell others. */
function isVisibleSecret({ hidden, value }: OwnVariable): boolean {
  return hidden && noteIn(value) === "visible";
}

function unlessEmpty(entries: Readonly<Record<string, object>>): Properties {
  return Object.fromEntries(Object.entries(entries).filter(([, entry]) => Object.keys(entry).length > 0));
}

/** The scopes that differ from `services`. */
function scopesOf(inputs: Properties, own: readonly OwnVariable[]): Properties {
  const { services = [] } = setShape.parse(pick(inputs, ["services"]));
  const scopes = declaredScopes(
    Object.fromEntries(own.map((variable) => [variable.name, variable.services])),
    services,
  );
  return Object.keys(scopes).length > 0 || isMap(inputs["scopes"]) ? { scopes } : {};
}

/**
 * The variables of a set in state and in the program. Leaves out unmanaged variables that `prune` would no longer delete. Those that the program
 * looks at with `get` are such ones: the next `get` of a variable that was deleted would fail.
 */
export function storedAndDeclared(
  old: Properties,
  news: Properties,
  inRun: EnvironmentInRun | undefined,
): StoredAndDeclared {
  const isLookedUp = (name: string): boolean => inRun?.names.isLookedUp(name) === true;
  const stored = [...storedVariables(old)].filter(
    ([name, variable]) => isOwn(variable) || (prunes(news, name) && !isLookedUp(name)),
  );
  return {
    stored: new Map(stored),
    declared: declaredVariables(news),
    kept: new Set(stored.flatMap(([name]) => (keeps(news, name) ? [name] : []))),
    isTriggered: isTriggered(old, news),
    isImported: isImported(old, inRun),
  };
}

/** The variables that the inputs of a set declare. */
export function declaredVariables(news: Properties): readonly Variable[] {
  return variablesOfMaps(setShape.parse(news));
}

/** Whether a set deletes a variable that it does not declare. One that no request can address stays. */
export function prunes(inputs: Properties, name: string): boolean {
  return inputs["prune"] === true && isPrunable(name) && !keeps(inputs, name);
}

/** Whether a variable that a set does not declare stays on the service, because `keep` matches its name. */
function keeps({ prune, keep }: Properties, name: string): boolean {
  const globs = Array.isArray(keep) ? keep.filter((glob) => typeof glob === "string") : [];
  return prune === true && matchesAny(name, globs);
}

/** Whether `triggers` changed, so that everything is written again. */
function isTriggered(old: Properties, input: Properties): boolean {
  return diffValue(["triggers"], old["triggers"] ?? {}, input["triggers"] ?? {}).length > 0;
}
