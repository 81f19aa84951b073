import * as pulumi from "@pulumi/pulumi";
import { type InputKind, type InputKinds, noValueText } from "../../../provider/src/framework/no-value";
import { failProgram } from "./failing-program";
import { functionError } from "./function-error";
import { isMocked } from "./program-run";
import { classOf, refuseUnserializable } from "./serializable";

type Given = Readonly<Record<string, unknown>>;

/** Arguments of which all that is known now has a value. */
export interface WithValues {
  /** The arguments, without those that are plainly `undefined` and count as left out. */
  readonly args: Given;
  /**
   * For each argument with parts that are known later: resolves when they all have a value. Rejects when one has none, and then
   * the program fails.
   */
  readonly looks: ReadonlyMap<string, Promise<void>>;
}

/** An argument: `services` of `EnvVarSet "vars"`. */
interface Place {
  readonly label: string;
  readonly input: string;
  readonly kind: InputKind | undefined;
}

/** What an argument consists of, as far as that is known. */
interface Parts {
  /** Paths without a value. */
  readonly missing: string[];
  /** Paths whose values are known later. */
  readonly pending: (readonly [path: string, value: pulumi.Output<unknown> | Promise<unknown>])[];
}

/**
 * Refuses arguments without a value. Pulumi drops `undefined` on its way, so that the program would silently no longer declare
 * a variable, or a list of services. Outputs are looked at one by one, once they are known; not in a unit test with mocks.
 * @throws pulumi.RunError that names the paths
 */
export function requireValues(label: string, args: Given, kinds: InputKinds): WithValues {
  const given = Object.entries(args).filter(([name, value]) => value !== undefined || kinds[name] !== "default");
  const looks = new Map<string, Promise<void>>();
  for (const [name, value] of given) {
    const place = { label, input: name, kind: kinds[name] };
    const pending = refuseMissing(place, value);
    if (pending.length > 0 && !isMocked()) looks.set(name, lookAt(place, pending));
  }
  return { args: Object.fromEntries(given), looks };
}

/**
 * Refuses arguments of a component without a value. Outputs are looked at by the children that get them.
 * @param within where the arguments stand in those of the component: `variableSets.app.`
 * @throws pulumi.RunError that names the paths
 */
export function requirePlainValues(label: string, args: Given, kinds: InputKinds, within = ""): void {
  for (const [name, value] of Object.entries(args))
    if (value !== undefined || kinds[name] !== "default")
      refuseMissing({ label, input: within + name, kind: kinds[name] }, value);
}

/** What is known later. @throws pulumi.RunError when something has no value */
function refuseMissing(place: Place, value: unknown): Parts["pending"] {
  const { missing, pending } = partsOf(place, place.input, value);
  if (missing.length > 0) throw functionError(textOf(place, missing));
  return pending;
}

function partsOf(place: Place, path: string, value: unknown, parts: Parts = { missing: [], pending: [] }): Parts {
  if (value === undefined || value === null) parts.missing.push(path);
  if (typeof value !== "object" || value === null) return parts;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) parts.pending.push([path, value]);
  else if (place.kind === "anything") return parts;
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) partsOf(place, `${path}[${index}]`, item, parts);
  else if (classOf(value) === undefined)
    for (const [name, one] of Object.entries(value)) partsOf(place, `${path}.${name}`, one, parts);
  return parts;
}

/** Looks at what is known later. The resource waits for this, so that the engine does not end the program before. */
function lookAt(place: Place, pending: Parts["pending"]): Promise<void> {
  const look = requireKnown(place, pending).catch((error: unknown) => {
    failProgram(error);
    throw error;
  });
  // Its failure is reported where the SDK reads it.
  look.catch(() => undefined);
  return look;
}

async function requireKnown(place: Place, pending: Parts["pending"]): Promise<void> {
  const missing: string[] = [];
  const queue = [...pending];
  for (const [path, value] of queue) {
    const known = value instanceof Promise ? { value: await value } : await knownPart(value);
    if (known === undefined) continue;
    refuseUnserializable(place.label, path, known.value);
    const parts = partsOf(place, path, known.value);
    missing.push(...parts.missing);
    // An array that grows while it is walked: what is within Outputs may be Outputs again.
    queue.push(...parts.pending);
  }
  if (missing.length > 0) throw functionError(textOf(place, missing));
}

/**
 * The value of an Output; `undefined` when a preview does not know it. `apply` would make another Output for each entry. These
 * members are not part of the SDK's types; the SDK serializes each input with them.
 */
async function knownPart(output: pulumi.Output<unknown>): Promise<{ readonly value: unknown } | undefined> {
  const isKnown: unknown = await Reflect.get(output, "isKnown");
  if (isKnown !== true) return undefined;
  const promise: unknown = Reflect.get(output, "promise");
  return typeof promise === "function" ? { value: await promise.call(output, true) } : undefined;
}

function textOf({ label, input, kind }: Place, paths: readonly string[]): string {
  return `${label}: ${noValueText(input, kind, paths)}.`;
}
