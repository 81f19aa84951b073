import * as pulumi from "@pulumi/pulumi";
import {
  type ResourceFacts,
  visibleInputOf,
  visibleSecretWarning,
} from "../../../provider/src/framework/resource-facts";
import type { WithValues } from "./missing-values";
import { classOf, refuseUnserializable } from "./serializable";

/** A resource's arguments as the program passed them, by name. */
export type Given = Readonly<Record<string, unknown>>;

/** Whether a value is a plain map: no list, no Output, no Promise, no instance of another class such as Map. */
export function isPlainMap(value: unknown): value is Given {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !pulumi.Output.isInstance(value) &&
    classOf(value) === undefined
  );
}

/**
 * The arguments, when the SDK can send them to the provider.
 * @throws pulumi.RunError for arguments that are no plain object, and for what the SDK would silently change or lose
 * (`refuseUnserializable`)
 */
export function checkArgs(label: string, args: unknown, which = "second"): Given {
  if (!isPlainMap(args)) throw new pulumi.RunError(`${label}: the ${which} argument must be an object.`);
  for (const [property, value] of Object.entries(args)) refuseUnserializable(label, property, value);
  return args;
}

/**
 * The arguments with the secret ones marked: a plain map entry by entry, so that a diff can name what changes. The SDK sends an
 * argument only when all of it has a value.
 */
export function markSecrets({ args, looks }: WithValues, secrets: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const look = looks.get(name);
      const marked = (): unknown => (secrets.includes(name) ? toSecret(value) : value);
      return [name, look === undefined ? stringConvertible(marked()) : whenLooked(look, marked)];
    }),
  );
}

/** A promise and no Output: one Output of a whole map is as secret as the most secret of its entries. */
function whenLooked(look: Promise<void>, marked: () => unknown): Promise<unknown> {
  const sent = look.then(marked);
  // The SDK reads one argument after the other: until then nobody would handle its failure, and Node.js would say so.
  sent.catch(() => undefined);
  return sent;
}

/** The SDK calls `toString` of a plain map, and fails when the map has none, or an entry of that name. */
function stringConvertible(value: unknown): unknown {
  return isPlainMap(value) && value["toString"] !== Object.prototype.toString ? pulumi.output({ ...value }) : value;
}

function toSecret(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (!isPlainMap(value)) return pulumi.secret(value);
  const entries = Object.entries(value);
  if (entries.some(([, one]) => pulumi.Output.isInstance(one))) return withSecrets(entries);
  return Object.fromEntries(entries.map(([name, one]) => [name, pulumi.secret(one)]));
}

/**
 * What `requireSecret` gives is a secret already, and to make another Output of it costs more than all else that is done with
 * it here. One promise for the whole map: each one that the SDK waits for costs it a stack trace.
 */
function withSecrets(entries: readonly (readonly [string, unknown])[]): Promise<Given> {
  const marked = entries.map(async ([name, one]) => {
    const isMarked = pulumi.Output.isInstance(one) && (await pulumi.isSecret(one));
    return [name, isMarked ? one : pulumi.secret(one)] as const;
  });
  const map = Promise.all(marked).then((all) => Object.fromEntries(all));
  // Its failure is reported where the SDK reads it.
  map.catch(() => undefined);
  return map;
}

/**
 * Warns of Pulumi secrets that the service would show. State keeps them encrypted; the dashboard does not. A host that is
 * told which values are secret warns by itself where it can tell.
 */
export function warnVisibleSecrets(label: string, facts: ResourceFacts, args: Given, hostWarns: boolean): void {
  const visible = visibleInputOf(facts, args);
  // An input that is always marked as secret does not show the host what the program marked.
  if (visible === undefined || (hostWarns && !facts.secrets.includes(visible.name))) return;
  const { name: property, advice } = visible;
  const value = args[property];
  const candidates: readonly (readonly [string, unknown])[] = isPlainMap(value)
    ? Object.entries(value).map(([name, one]) => [`${property}.${name}`, one])
    : [[property, value]];
  for (const [path, one] of candidates)
    if (pulumi.Output.isInstance(one)) warnIfSecret(one, visibleSecretWarning(`${label}: ${path}`, advice));
}

function warnIfSecret(value: pulumi.Output<unknown>, text: string): void {
  // Without the resource: otherwise all messages of the program would wait for its registration, and fail with it.
  const warn = (secret: boolean): Promise<void> => (secret ? pulumi.log.warn(text) : Promise.resolve());
  // This is unknown only when the computation of the value failed, and the resource reports that.
  pulumi
    .isSecret(value)
    .then(warn)
    .catch(() => undefined);
}
