import { isObject, isTexts } from "../domain/fields";
import type { Environment } from "../domain/model";
import { renderVariable } from "./rendering";
import { type Call, HttpError, type Refusals, type Reply, type Route } from "./router";
import type { Store } from "../domain/store";
import { upsertSent, type VariableSeed } from "../domain/variables";

const COLLECTION = "/api/v1/environment/:environmentId/env-vars";
const LABEL = "/env-vars";
const MISSING = "name and value are required";

interface ItemError {
  readonly name: string | null;
  readonly error: string;
}

/** List, upsert and delete of an environment's variables. */
export function envVarRoutes(store: Store): readonly Route[] {
  const find = (call: Call) => findForVariables(store, call.environmentId);
  return [
    { method: "GET", path: COLLECTION, label: LABEL, handle: (call) => list(store, find(call)) },
    { method: "PUT", path: COLLECTION, label: LABEL, takesBody: true, handle: (call) => put(store, find(call), call) },
    {
      method: "DELETE",
      path: `${COLLECTION}/:variableName`,
      label: LABEL,
      handle: (call) => remove(store, find(call), call.variableName),
    },
  ];
}

/** The names in the body of an upsert, for the journal and the faults. */
export function sentNames(body: unknown): string[] {
  const items: unknown = isObject(body) ? body["env_vars"] : undefined;
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => {
    const name = isObject(item) ? item["name"] : undefined;
    return typeof name === "string" ? [name] : [];
  });
}

function findForVariables(store: Store, environmentId: string): Environment {
  const environment = store.find(environmentId);
  const hidden = environment?.flags.deleted === true && store.choices.deletedEnvironmentVariables === "404";
  if (environment === undefined || hidden) throw new HttpError(404, "Application not found!");
  return environment;
}

function list(store: Store, environment: Environment): Reply {
  const render = renderVariable.bind(undefined, store);
  return {
    status: 200,
    json: {
      data: Array.from(environment.variables.values(), render),
      included: { inherited: environment.inherited.map(render) },
    },
  };
}

function remove(store: Store, environment: Environment, name: string): Reply {
  if (!environment.variables.delete(name)) throw new HttpError(404, "Env var not found!");
  store.changed();
  return { status: 204 };
}

function put(store: Store, environment: Environment, call: Call): Reply {
  const items = readItems(store, call.body);
  const accepted = new Map<string, VariableSeed>();
  const errors: ItemError[] = [];
  for (const item of items) {
    const read = readItem(store, item);
    const refused = "error" in read ? read : refusal(call.refusals, read.name);
    if (refused !== undefined) errors.push(refused);
    // "When the same name occurs more than once in one request, the last value is used."
    else if (!("error" in read)) accepted.set(read.name, read);
  }
  const { names: unmentioned, areStored } = call.refusals?.unmentioned ?? { names: [], areStored: false };
  const stored = [...accepted.values()].filter(({ name }) => areStored || !unmentioned.includes(name));
  for (const seed of stored) upsertSent(store, environment, seed);
  if (stored.length > 0) store.changed();
  const data = answered(store, environment, [...accepted.keys()], unmentioned);
  const isWhole = errors.length === 0 && unmentioned.length === 0;
  return isWhole ? { status: 200, json: { data } } : { status: 207, json: { data, errors } };
}

function readItems(store: Store, body: unknown): readonly Readonly<Record<string, unknown>>[] {
  const items: unknown = isObject(body) ? body["env_vars"] : undefined;
  if (!Array.isArray(items) || !items.every(isObject)) {
    throw new HttpError(400, "env_vars is required and must be an array of objects");
  }
  const { maxBatch } = store.choices;
  if (maxBatch !== undefined && items.length > maxBatch) throw new HttpError(413, "Too many env vars in one request");
  return items;
}

function readItem(store: Store, item: Readonly<Record<string, unknown>>): VariableSeed | ItemError {
  const { name, value, hidden = true } = item;
  const services = item["services"] ?? [];
  const label = typeof name === "string" && name !== "" ? name : null;
  const isMissing = value === undefined || value === null || (value === "" && store.choices.emptyValue === "refused");
  if (label === null || isMissing) return { name: label, error: MISSING };
  if (typeof value !== "string") return { name: label, error: "value must be a string" };
  if (typeof hidden !== "boolean") return { name: label, error: "hidden must be true or false" };
  if (!isTexts(services)) return { name: label, error: "services must be an array of strings" };
  return { name: label, value, hidden, services };
}

function refusal(refusals: Refusals | undefined, name: string): ItemError | undefined {
  const error = refusals?.reasons.get(name);
  if (refusals === undefined || error === undefined) return undefined;
  return { name: refusals.anonymous ? null : name, error };
}

function answered(
  store: Store,
  environment: Environment,
  sent: readonly string[],
  unmentioned: readonly string[],
): object[] {
  const { upsertAnswer } = store.choices;
  const names = upsertAnswer === "all" ? [...environment.variables.keys()] : sent;
  const ordered = upsertAnswer === "shuffled" ? names.toReversed() : names;
  return ordered.flatMap((name) => {
    const variable = environment.variables.get(name);
    return variable === undefined || unmentioned.includes(name) ? [] : [renderVariable(store, variable)];
  });
}
