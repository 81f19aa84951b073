import { toUSVString } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import {
  displayableName,
  type InputKind,
  type InputKinds,
  noValueText,
} from "../../../provider/src/framework/missing-value-text";
import { outputInText } from "../../../provider/src/framework/output-in-text";
import { resourceAsValue } from "../../../provider/src/framework/resource-as-value";
import type { Path, Properties } from "../../../provider/src/framework/properties";
import { failing, failProgram, programError } from "./program-failure";
import { isLater, knownValue, type Later, waitingOutput } from "./outputs";
import { isMocked } from "./program-run";

/** Arguments of which all that is known now has a value, and can be sent. */
export interface CheckedArgs {
  /** The arguments, without those that are plainly `undefined` and count as left out. */
  readonly args: Properties;
  /** Resolves when what is known later has values that can be sent. Rejects when it has not, and then the program fails. */
  readonly whenChecked: Promise<unknown>;
}

/**
 * Refuses arguments without a value, and values that the Pulumi SDK would change or lose on the way to the provider, at any depth.
 * Pulumi drops `undefined` on its way, so that the program would silently no longer declare a variable, or a list of services.
 * Outputs are checked one by one, once they are known. Not in a unit test with mocks.
 * @throws pulumi.RunError that names the paths, and no value
 */
export function checkArgs(label: string, args: unknown, kinds: InputKinds): CheckedArgs {
  requirePlainMap(label, args);
  refuseOutputInName(label);
  const passed = Object.fromEntries(Object.entries(args).filter(([name, value]) => !isLeftOut(kinds[name], value)));
  const checks = Object.keys(passed).map((name) => new InputCheck(label, name, kinds[name]));
  const unfinished = checks.filter((check) => !check.checkKnown(passed[check.input]));
  const whenChecked = Promise.all(isMocked() ? [] : unfinished.map((check) => check.checkRest()));
  whenChecked.catch(failProgram);
  return { args: passed, whenChecked };
}

/** @throws pulumi.RunError for arguments whose names cannot be read */
export function requirePlainMap(label: string, args: unknown): asserts args is Properties {
  if (!isPlainMap(args)) throw new pulumi.RunError(`${label}: the arguments must be a plain object.`);
}

/** Refuses the name of a resource into which the program has put an Output. `label` has it: `EnvVarSet "vars"`. @throws pulumi.RunError */
export function refuseOutputInName(label: string): void {
  const problem = outputInText(label);
  if (problem !== undefined) throw new pulumi.RunError(`the name of ${label.split(" ", 1).join("")} ${problem}.`);
}

/** Whether an argument counts as left out. */
export function isLeftOut(kind: InputKind | undefined, value: unknown): boolean {
  return value === undefined && kind === "default";
}

/** The check of one argument: `services` of `EnvVarSet "vars"`. */
class InputCheck {
  readonly input: string;
  readonly #label: string;
  readonly #kind: InputKind | undefined;
  /** Paths without a value. */
  readonly #missing: string[] = [];
  /** Paths whose values are known later. */
  readonly #pending: (readonly [path: string, value: Later<unknown>])[] = [];

  constructor(label: string, input: string, kind: InputKind | undefined) {
    this.input = input;
    this.#label = label;
    this.#kind = kind;
  }

  /** Checks what is known. Returns whether that is all. @throws pulumi.RunError */
  checkKnown(value: unknown): boolean {
    this.#read(this.input, value);
    this.#refuseMissing();
    return this.#pending.length === 0;
  }

  /** Checks what becomes known later. Rejects with a pulumi.RunError. */
  async checkRest(): Promise<void> {
    // An array that grows while it is walked: what is within Outputs may be Outputs again.
    for (const [path, value] of this.#pending) {
      const known = await knownValue(value);
      if (known !== undefined) this.#read(path, known.value);
    }
    this.#refuseMissing();
  }

  #refuseMissing(): void {
    if (this.#missing.length > 0)
      throw programError(`${this.#label}: ${noValueText(this.input, this.#kind, this.#missing)}.`);
  }

  #read(path: string, value: unknown): void {
    if (value === undefined || value === null || (this.#kind === "setting" && value === "")) {
      // Within such a list anything may be missing, now or later.
      if (this.#kind !== "anything" || path === this.input) this.#missing.push(path);
    } else if (isLater(value)) this.#pending.push([path, value]);
    else if (typeof value === "string") this.#readText(path, value);
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) this.#read(`${path}[${index}]`, item);
    else if (isPlainMap(value)) {
      if (Object.hasOwn(value, "__proto__"))
        this.#refuse(path, 'has an entry named "__proto__", which the Pulumi SDK cannot send. Choose another name.');
      for (const [name, item] of Object.entries(value)) {
        this.#readText(`a name in ${path}`, name);
        this.#read(`${path}.${name}`, item);
      }
    } else if (typeof value === "function")
      this.#refuse(path, "is a function: the Pulumi SDK would leave it out. Call it, and pass what it returns.");
    else if (pulumi.Resource.isInstance(value)) this.#refuse(path, `${resourceAsValue(path)}.`);
    else if (typeof value === "object" && !isSentAsItIs(value))
      this.#refuse(
        path,
        `is a ${classOf(value) ?? ""}: the Pulumi SDK would not send what is in it. Pass a plain object ` +
          "(`Object.fromEntries(map)`), a list (`[...set]`) or a text (`date.toISOString()`).",
      );
  }

  /** Refuses a text with a lone surrogate, which was cut within a character or is binary data, and one that an Output was put into. */
  #readText(path: string, text: string): void {
    if (toUSVString(text) !== text)
      this.#refuse(
        path,
        "contains an unpaired surrogate, which UTF-8 cannot represent. Cut texts between characters, and encode binary data, for " +
          "example as Base64.",
      );
    const problem = outputInText(text);
    if (problem !== undefined) this.#refuse(path, `${problem}.`);
  }

  #refuse(path: string, problem: string): never {
    throw programError(`${this.#label}: ${displayableName(path)} ${problem}`);
  }
}

/** Whether a value is a plain map: no list, no Output, no Promise, no instance of another class such as Map. */
export function isPlainMap(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value) && classOf(value) === undefined;
}

/** The class of an object that is no plain one. `undefined` for plain objects, also of other contexts, and `process.env`,
 * whose class has no name. */
function classOf(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return undefined;
  const made: unknown = prototype.constructor;
  return typeof made === "function" && made.name !== "Object" && made.name !== "" ? made.name : undefined;
}

/** Whether the SDK sends a value in a way of its own. */
function isSentAsItIs(value: object): boolean {
  return pulumi.asset.Asset.isInstance(value) || pulumi.asset.Archive.isInstance(value);
}

/**
 * The arguments with the secret ones marked: a plain map entry by entry, so that a diff can name what changes. The SDK sends them only
 * when all of them have a value. Maps and lists stay plain: a function in `transformations` may copy and extend them.
 */
export function markSecrets({ args, whenChecked }: CheckedArgs, secrets: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const isSecret = secrets.includes(name);
      if (!isSecret || !isPlainMap(value)) return [name, sentAfter(whenChecked, value, isSecret)];
      return [name, mapOf(Object.entries(value).map(([key, entry]) => [key, sentAfter(whenChecked, entry, true)]))];
    }),
  );
}

/**
 * A value that the SDK sends, as a secret or as it is. Each one that is known later waits for the check of all arguments: a function in
 * `transformations` may replace any of them.
 */
function sentAfter(whenChecked: Promise<unknown>, value: unknown, isSecret: boolean): unknown {
  if (isSecret) {
    const secret = pulumi.secret(value);
    return typeof value === "object" && value !== null ? waitingOutput(secret, whenChecked) : secret;
  }
  if (pulumi.Output.isInstance(value)) {
    // A copy, because the program may use its Output elsewhere. `pulumi.output` would make a map within it as secret as its most secret entry.
    const copy = failing(value.apply((known) => known));
    return waitingOutput(copy, whenChecked);
  }
  if (value instanceof Promise) {
    const sent = whenChecked.then(() => value);
    // The SDK reads one argument after the other: until then nobody would handle its failure, and Node.js would say so.
    sent.catch(() => undefined);
    return sent;
  }
  if (Array.isArray(value)) return value.map((item) => sentAfter(whenChecked, item, false));
  if (!isPlainMap(value)) return value;
  return mapOf(Object.entries(value).map(([key, entry]) => [key, sentAfter(whenChecked, entry, false)]));
}

/** A map of these entries. The SDK puts each argument into a text, which would fail for a map with an entry named `toString`. */
function mapOf(entries: readonly (readonly [string, unknown])[]): Properties {
  return Object.defineProperty(Object.fromEntries(entries), Symbol.toPrimitive, { value: () => "[object Object]" });
}

/** The paths of the Pulumi secrets within these arguments. `undefined` when there are none. */
export async function secretPaths(args: Properties, names: readonly string[]): Promise<readonly Path[] | undefined> {
  const found = await Promise.all(names.map((name) => pathsWithin(args[name], [name])));
  const paths = found.flat();
  return paths.length === 0 ? undefined : paths;
}

async function pathsWithin(value: unknown, path: Path): Promise<readonly Path[]> {
  // An Output or a Promise rejects only when the computation of its value failed, and the resource reports that.
  if (pulumi.Output.isInstance(value)) return (await pulumi.isSecret(value).catch(() => false)) ? [path] : [];
  const known: unknown = value instanceof Promise ? await value.catch(() => undefined) : value;
  if (!Array.isArray(known) && !isPlainMap(known)) return [];
  const found = await Promise.all(Object.entries(known).map(([name, item]) => pathsWithin(item, [...path, name])));
  return found.flat();
}
