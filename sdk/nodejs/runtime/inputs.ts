import * as pulumi from "@pulumi/pulumi";
import {
  type ResourceFacts,
  visibleInputOf,
  visibleSecretWarning,
} from "../../../provider/src/framework/resource-facts";
import { type CheckedArgs, type Given, isPlainMap } from "./arguments";

/**
 * The arguments with the secret ones marked: a plain map entry by entry, so that a diff can name what changes. The SDK sends an
 * argument only when all of it has a value.
 */
export function markSecrets({ args, looks }: CheckedArgs, secrets: readonly string[]): Record<string, unknown> {
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
  if (!isPlainMap(value)) return pulumi.secret(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pulumi.secret(one)]));
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
