import { isDeepStrictEqual } from "node:util";
import { withoutHostKeys } from "../../provider/src/framework/host-keys";
import { isMap, type Properties } from "../../provider/src/framework/properties";
import { isExisting } from "../../provider/src/env-vars/placeholder";
import type { Stored } from "../support/engine-steps";

/** Where state holds something else than a value. */
export const PLACEHOLDER = "previewenv:unknown:";

/** Whether state holds something else than a value: nothing is known of it, or it is the service's own business. */
export function isNoValue(value: string): boolean {
  return value.startsWith(PLACEHOLDER) || isExisting(value);
}

/** Whether state has the outputs that it had, whatever a host adds to them. */
export function hasSameOutputs(after: Stored, before: Stored | undefined): boolean {
  return isDeepStrictEqual(withoutHostKeys(after.outputs), withoutHostKeys(before?.outputs ?? {}));
}

/** A variable as state shows it. */
export interface StatedVariable {
  readonly environmentId: string;
  readonly name: string;
  readonly value: string;
  readonly hidden: boolean;
  readonly services: readonly string[];
  /** When the service last changed it, as far as the resource has seen. `undefined` when it does not know. */
  readonly seenAt: string | undefined;
  /** Whether the resource has it for itself. A pruning set also shows what belongs to others, and what a program looks at is nobody's. */
  readonly isOwned: boolean;
}

/** The variables that the state of one resource shows. */
export function statedVariables(
  stored: Pick<Stored, "type" | "id" | "outputs" | "isExternal"> | undefined,
): readonly StatedVariable[] {
  if (stored === undefined) return [];
  const { type, id, outputs, isExternal } = stored;
  const isOwned = isExternal !== true;
  const services = textsOf(outputs["services"]);
  if (type === "EnvVar") {
    const slash = id.indexOf("/");
    const hidden = outputs["hidden"] !== false;
    const value = String(outputs["value"]);
    const seenAt = timeOf(outputs["updatedAt"]);
    return [{ environmentId: id.slice(0, slash), name: id.slice(slash + 1), value, hidden, services, seenAt, isOwned }];
  }
  if (type !== "EnvVarSet") return [];
  const observed = mapOf(outputs["observed"]);
  const own = new Map(
    Object.entries(mapOf(observed["names"])).flatMap(([time, names]) =>
      String(names)
        .split("\n")
        .map((name) => [name, time] as const),
    ),
  );
  const seen = mapOf(observed["seenAt"]);
  const scopes = mapOf(outputs["scopes"]);
  const of = (map: Properties, hidden: boolean): readonly StatedVariable[] =>
    Object.entries(map).map(([name, value]) => ({
      environmentId: id,
      name,
      value: String(value),
      hidden,
      services: Object.hasOwn(scopes, name) ? textsOf(scopes[name]) : services,
      seenAt: timeOf(own.get(name)) ?? timeOf(seen[name]),
      isOwned: isOwned && own.has(name),
    }));
  return [...of(mapOf(outputs["variables"]), false), ...of(mapOf(outputs["secrets"]), true)];
}

function timeOf(stored: unknown): string | undefined {
  return typeof stored === "string" && stored !== "" ? stored : undefined;
}

/** Names that a resource has for itself in an environment. */
export function ownedNames(stored: Stored | undefined, environmentId: string): readonly string[] {
  return statedVariables(stored).flatMap((one) =>
    one.isOwned && one.environmentId === environmentId ? [one.name] : [],
  );
}

/** Names that the inputs in the state of a set declare. */
export function inputNames({ type, id, inputs }: Stored, environmentId: string): readonly string[] {
  if (type !== "EnvVarSet" || id !== environmentId) return [];
  return [...Object.keys(mapOf(inputs["variables"])), ...Object.keys(mapOf(inputs["secrets"]))];
}

/** Names that more than one resource has for itself in an environment. */
export function contested(all: Iterable<Stored>, environmentId: string): readonly string[] {
  const names = [...all].flatMap((stored) => ownedNames(stored, environmentId));
  return names.filter((name, index) => names.indexOf(name) !== index);
}

/** Whether a resource was declared for an environment that a list gave. */
export function isOfList({ outputs }: Stored): boolean {
  return outputs["__listed"] === true;
}

type Shown = Pick<Stored, "type" | "inputs" | "outputs" | "initErrors">;

/** What the engine does not encrypt of a resource, as text. */
export function plainState({ type, inputs, outputs, initErrors }: Shown): string {
  // The engine encrypts by the inputs. After a failed update, state has those from before it.
  const mayHide = initErrors.length > 0 || inputs["hidden"] !== false;
  const strip = (bag: Properties): Properties => {
    if (type === "EnvVarSet") return { ...bag, secrets: undefined };
    return type === "EnvVar" && mayHide && bag["hidden"] !== false ? { ...bag, value: undefined } : bag;
  };
  return JSON.stringify([strip(inputs), strip(outputs)]);
}

function mapOf(value: unknown): Properties {
  return isMap(value) ? value : {};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Whether an EnvironmentBranches owes a build that it did not request, because its environment slept. */
export function owesBuild(stored: Stored | undefined): boolean {
  return mapOf(stored?.outputs["pending"])["status"] === "owed";
}
