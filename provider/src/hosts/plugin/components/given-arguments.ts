import { Output } from "@pulumi/pulumi/output";
import {
  deserializeProperty,
  specialOutputValueSig,
  specialSecretSig,
  specialSigKey,
  unknownValue,
} from "@pulumi/pulumi/runtime/rpc";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isPlainMap } from "../../../../../sdk/nodejs/runtime/checked-arguments";
import { knownValue } from "../../../../../sdk/nodejs/runtime/outputs";

/** The marks of an Output or a secret, which hold for all that is in it. */
interface Marks {
  readonly secret: boolean;
  readonly dependencies: readonly unknown[];
}

/** Arguments that decide which children there are, and hold no other ones. Errors show their values. */
export const plainNames = ["state", "onUnlisted", "pullRequestsOnly", "excludeNames"];

/** The arguments of a component as its class takes them, which refuses what is no map, and what is null. */
export async function componentArguments(inputs: Struct | undefined): Promise<Record<string, unknown>> {
  const given: Record<string, unknown> = deserializeProperty(placeMarks(inputs?.toJavaScript() ?? {}));
  const { environment, rebuildOn, variableSets } = given;
  // A value that is still an Output is not known, or a single value. Any unknown argument makes the whole look-up unknown.
  if (Output.isInstance(environment)) given["environment"] = { id: environment };
  // How many values there are decides nothing, so an unknown list may stand as one unknown value.
  if (Output.isInstance(rebuildOn)) given["rebuildOn"] = [rebuildOn];
  for (const name of plainNames) if (Object.hasOwn(given, name)) given[name] = await plain(given[name]);
  if (isPlainMap(variableSets))
    for (const set of Object.values(variableSets))
      if (isPlainMap(set) && Object.hasOwn(set, "variablesFrom"))
        Object.assign(set, { variablesFrom: await plain(set["variablesFrom"]) });
  return given;
}

/** A value without Outputs, but for those that are not known: the class refuses them. */
async function plain(value: unknown): Promise<unknown> {
  if (Output.isInstance(value)) return (await knownValue(value))?.value ?? value;
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (!isPlainMap(value)) return value;
  const entries = Object.entries(value).map(async ([name, item]) => [name, await plain(item)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * A value in which Outputs and secrets are single values. A program of another language may have made one of a whole map, and
 * Pulumi's SDK takes everything around a secret for a secret too. The names in a map decide which children there are: so it becomes
 * plain, and each of its values an Output that is as secret as the whole.
 */
function placeMarks(value: unknown, marks?: Marks): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => placeMarks(item, marks));
  if (isPlainMap(value)) {
    const { [specialSigKey]: signature, value: inner, secret, dependencies } = value;
    if (signature === undefined)
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, placeMarks(item, marks)]));
    if (signature === specialSecretSig || signature === specialOutputValueSig)
      return placeMarks(inner, {
        secret: marks?.secret === true || signature === specialSecretSig || secret === true,
        dependencies: [...(marks?.dependencies ?? []), ...(Array.isArray(dependencies) ? dependencies : [])],
      });
  }
  const isKnown = value !== undefined && value !== unknownValue;
  if (value === null || (isKnown && marks === undefined)) return value;
  return { [specialSigKey]: specialOutputValueSig, ...marks, ...(isKnown && { value }) };
}
