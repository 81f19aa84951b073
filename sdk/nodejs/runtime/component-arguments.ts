import * as pulumi from "@pulumi/pulumi";
import { displayableName, type InputKind, noValueText } from "../../../provider/src/framework/missing-value-text";
import { programError } from "./program-failure";
import { warn } from "./program-run";
import { isLeftOut, isPlainMap, refuseOutputInName, requirePlainMap } from "./checked-arguments";

/** The type of an argument that a preview must know. A list of texts: one of these. */
type PlainForm =
  | "a plain object"
  | "a plain object of plain objects"
  | "a list"
  | "a boolean"
  | "a function"
  | "a string"
  | readonly string[];

/** The facts of one argument that the class of a component has. */
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
  requirePlainMap(label, args);
  refuseOutputInName(label);
  refuseOtherNames(label, args, Object.keys(facts));
  for (const [name, { kind, plain }] of Object.entries(facts)) {
    const value = args[name];
    if (Object.hasOwn(args, name) && (value === undefined || value === null) && !isLeftOut(kind, value))
      throw programError(`${label}: ${noValueText(name, kind, [name])}.`);
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

const FOR_CHILDREN =
  "Give it to the children with the option `transforms`, or declare them without the component, as in YAML";
/** Options that Pulumi leaves to each component, and that no component of this package uses, with what to do instead. */
const UNUSED_OPTIONS = [
  ["customTimeouts", "Set the argument `buildTimeoutSeconds`"],
  ["hideDiffs", FOR_CHILDREN],
  ["ignoreChanges", FOR_CHILDREN],
  ["replaceOnChanges", FOR_CHILDREN],
  ["replacementTrigger", FOR_CHILDREN],
] as const;

/** Warns of options without an effect: Pulumi says nothing, and a change that the program wants to ignore would be deployed. */
export function warnOfOptions(label: string, opts: pulumi.ComponentResourceOptions): void {
  const isGiven = (value: unknown): boolean =>
    typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value !== undefined;
  for (const [name, advice] of UNUSED_OPTIONS)
    if (isGiven(opts[name]))
      warn(`${label}: a component ignores the option \`${name}\`, unless its children have it, too. ${advice}.`);
}

/**
 * Refuses a value that has another form, or that is an Output.
 * @throws pulumi.RunError that names the path, and no value but a text in the place of one of several
 */
export function checkForm(label: string, path: string, value: unknown, form: PlainForm): void {
  if (!hasForm(value, form)) {
    const wanted = typeof form === "string" ? form : form.map((text) => JSON.stringify(text)).join(" or ");
    throw new pulumi.RunError(`${label}: ${displayableName(path)} must be ${wanted}, ${givenText(value, form)}.`);
  }
  if (form === "a plain object of plain objects" && isPlainMap(value))
    for (const [name, entry] of Object.entries(value)) checkForm(label, `${path}.${name}`, entry, "a plain object");
}

/** What is given instead. A text only in the place of one of several: any other may be a secret. */
function givenText(value: unknown, form: PlainForm): string {
  if (typeof value === "string" && typeof form !== "string") return `but is "${displayableName(value)}"`;
  const kind = Array.isArray(value) ? "list" : typeof value;
  // An Output and a Promise are objects, too.
  return kind === "object" || kind === "undefined" ? "and no Output: a preview must know it" : `but is a ${kind}`;
}

function hasForm(value: unknown, form: PlainForm): boolean {
  if (form === "a list") return Array.isArray(value);
  if (form === "a boolean" || form === "a function" || form === "a string") return `a ${typeof value}` === form;
  return typeof form === "string" ? isPlainMap(value) : form.some((text) => text === value);
}
