import * as pulumi from "@pulumi/pulumi";
import { type InputKind, noValueText } from "../../../provider/src/framework/missing-value-text";
import { functionError } from "./failure";
import { isLeftOut, isPlainMap } from "./inputs";

/** The form of an argument that a preview must know. A list of texts: one of these. `maps`: a map whose entries are maps. */
type PlainForm = "map" | "maps" | "list" | "boolean" | "function" | readonly string[];

/** What the class of a component knows of one argument. */
export interface ArgumentFacts {
  /** Whether the argument may be missing. */
  readonly kind?: InputKind;
  /** Left out: the argument may be an Output, and the child that gets it checks it. */
  readonly plain?: PlainForm;
}

/**
 * Refuses arguments of a component that nothing reads, that have no value, or that a preview must know and are Outputs. What is in
 * them, the children and functions check that get it.
 * @throws pulumi.RunError that names the argument, and no value
 */
export function checkArguments(label: string, args: unknown, facts: Readonly<Record<string, ArgumentFacts>>): void {
  if (!isPlainMap(args)) throw new pulumi.RunError(`${label}: the arguments must be a plain object.`);
  refuseOtherNames(label, args, Object.keys(facts));
  for (const [name, { kind, plain }] of Object.entries(facts)) {
    const value = args[name];
    if (Object.hasOwn(args, name) && (value === undefined || value === null) && !isLeftOut(kind, value))
      throw functionError(`${label}: ${noValueText(name, kind, [name])}.`);
    if (plain !== undefined && (value !== undefined || kind === "required")) checkForm(label, name, value, plain);
  }
}

/** Refuses names that nothing reads: a misspelled one would have no effect and cause no error. @throws pulumi.RunError */
export function refuseOtherNames(label: string, args: object, names: readonly string[], within = ""): void {
  const unread = Object.keys(args).find((name) => !names.includes(name));
  if (unread !== undefined)
    throw new pulumi.RunError(
      `${label}: there is no property ${JSON.stringify(within + unread)}. There are: ${names.join(", ")}.`,
    );
}

function checkForm(label: string, path: string, value: unknown, form: PlainForm): void {
  if (form === "maps" && isPlainMap(value))
    for (const [name, entry] of Object.entries(value)) checkForm(label, `${path}.${name}`, entry, "map");
  else if (!hasForm(value, form))
    throw new pulumi.RunError(
      `${label}: ${path} must be ${describeForm(form)}, and no Output: a preview must know it.`,
    );
}

function hasForm(value: unknown, form: PlainForm): boolean {
  if (form === "map" || form === "maps") return isPlainMap(value);
  if (form === "list") return Array.isArray(value);
  return typeof form === "string" ? typeof value === form : form.some((text) => text === value);
}

function describeForm(form: PlainForm): string {
  if (typeof form !== "string") return form.map((text) => JSON.stringify(text)).join(" or ");
  return {
    map: "a plain object",
    maps: "a plain object",
    list: "a list",
    boolean: "a boolean",
    function: "a function",
  }[form];
}
