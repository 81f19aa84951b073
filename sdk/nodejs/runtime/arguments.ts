import { toUSVString } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { type InputKind, type InputKinds, noValueText } from "../../../provider/src/framework/no-value";
import { failProgram } from "./failing-program";
import { functionError } from "./function-error";
import { knownValue } from "./known-value";
import { isMocked } from "./program-run";

/** A resource's arguments as the program passed them, by name. */
export type Given = Readonly<Record<string, unknown>>;

/** Arguments of which all that is known now has a value, and can be sent. */
export interface CheckedArgs {
  /** The arguments, without those that are plainly `undefined` and count as left out. */
  readonly args: Given;
  /**
   * For each argument with parts that are known later: resolves when all of them have a value that can be sent. Rejects when one
   * has not, and then the program fails.
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
 * Refuses arguments without a value, and values that the Pulumi SDK would change or lose on the way to the provider, at any depth.
 * Pulumi drops `undefined` on its way, so that the program would silently no longer declare a variable, or a list of services.
 * Outputs are looked at one by one, once they are known; not in a unit test with mocks.
 * @throws pulumi.RunError that names the paths, and no value
 */
export function checkArgs(label: string, args: unknown, kinds: InputKinds, which = "second"): CheckedArgs {
  if (!isPlainMap(args)) throw new pulumi.RunError(`${label}: the ${which} argument must be an object.`);
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
 * The same for arguments of a component. Outputs are looked at by the children that get them.
 * @param within where the arguments stand in those of the component: `variableSets.app.`
 * @throws pulumi.RunError that names the paths, and no value
 */
export function checkPlainArgs(label: string, args: Given, kinds: InputKinds, within = ""): void {
  for (const [name, value] of Object.entries(args))
    if (value !== undefined || kinds[name] !== "default")
      refuseMissing({ label, input: within + name, kind: kinds[name] }, value);
}

/** What is known later. @throws pulumi.RunError when something has no value, or cannot be sent */
function refuseMissing(place: Place, value: unknown): Parts["pending"] {
  const parts: Parts = { missing: [], pending: [] };
  read(place, place.input, value, parts);
  refusePaths(place, parts);
  return parts.pending;
}

/** Looks at what is known later. The resource waits for this, so that the engine does not end the program before. */
function lookAt(place: Place, pending: Parts["pending"]): Promise<void> {
  const look = readLater(place, pending).catch((error: unknown) => {
    failProgram(error);
    throw error;
  });
  // Its failure is reported where the SDK reads it.
  look.catch(() => undefined);
  return look;
}

async function readLater(place: Place, pending: Parts["pending"]): Promise<void> {
  const parts: Parts = { missing: [], pending };
  // An array that grows while it is walked: what is within Outputs may be Outputs again.
  for (const [path, value] of pending) {
    const known = value instanceof Promise ? { value: await value } : await knownValue(value);
    if (known !== undefined) read(place, path, known.value, parts);
  }
  refusePaths(place, parts);
}

function refusePaths({ label, input, kind }: Place, { missing }: Parts): void {
  if (missing.length > 0) throw functionError(`${label}: ${noValueText(input, kind, missing)}.`);
}

/** Adds to the parts what a value consists of. @throws pulumi.RunError for what the SDK cannot send */
function read(place: Place, path: string, value: unknown, parts: Parts): void {
  const { label, kind } = place;
  // Within such a list anything may be missing, now or later.
  const counts = kind !== "anything" || path === place.input;
  if (value === undefined || value === null || (kind === "setting" && value === "")) {
    if (counts) parts.missing.push(path);
  } else if (typeof value === "string") refuseLoneSurrogate(label, path, value);
  else if (typeof value === "function")
    throw new pulumi.RunError(
      `${label}: ${path} is a function: the Pulumi SDK would leave it out. Call it, and pass what it returns.`,
    );
  else if (pulumi.Output.isInstance(value) || value instanceof Promise) {
    if (counts) parts.pending.push([path, value]);
  } else if (typeof value !== "object" || isSentAsItIs(value)) return;
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) read(place, `${path}[${index}]`, item, parts);
  else {
    refuseUnserializable(label, path, value);
    for (const [name, one] of Object.entries(value)) {
      refuseLoneSurrogate(label, `a name in ${path}`, name);
      read(place, `${path}.${name}`, one, parts);
    }
  }
}

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

/** The class of an object that is no plain one; `undefined` for plain objects, also of other contexts, and `process.env`,
 * whose class has no name. */
function classOf(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return undefined;
  const name: unknown = typeof prototype.constructor === "function" ? prototype.constructor.name : undefined;
  return typeof name === "string" && name !== "Object" && name !== "" ? name : undefined;
}

/** Whether the SDK sends a value in a way of its own. */
function isSentAsItIs(value: object): boolean {
  return (
    pulumi.Resource.isInstance(value) || pulumi.asset.Asset.isInstance(value) || pulumi.asset.Archive.isInstance(value)
  );
}

/** What to pass in place of an instance of a class, by the class's name. */
const adviceByClass: ReadonlyMap<string, string> = new Map([
  ["Map", "an empty object. Pass a plain object: `Object.fromEntries(map)`"],
  ["Set", "an empty object. Pass a list: `[...set]`"],
  ["Date", "an empty object. Pass a text: `date.toISOString()`"],
]);
const OTHER_ADVICE = "only its own properties, without its class. Pass a plain object, a list or a text";

function refuseUnserializable(label: string, path: string, value: object): void {
  const kind = classOf(value);
  if (kind !== undefined)
    throw new pulumi.RunError(
      `${label}: ${path} is a ${kind}: the Pulumi SDK would send ${adviceByClass.get(kind) ?? OTHER_ADVICE}.`,
    );
  if (Object.hasOwn(value, "__proto__"))
    throw new pulumi.RunError(
      `${label}: ${path} has an entry named "__proto__", which the Pulumi SDK cannot send. Choose another name.`,
    );
}

/** Refuses a text with a lone surrogate: it was cut within a character, or is binary data. */
function refuseLoneSurrogate(label: string, path: string, text: string): void {
  if (toUSVString(text) === text) return;
  throw new pulumi.RunError(
    `${label}: ${path} contains half of a character (a lone surrogate), which UTF-8 cannot represent. Cut texts between ` +
      "characters, and encode binary data, for example as Base64.",
  );
}
