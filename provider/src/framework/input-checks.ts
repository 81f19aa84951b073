import * as z from "zod";
import { displayableName } from "../client/error-text";
import { didYouMean } from "../command/did-you-mean";
import { NO_VALUE } from "./missing-value-text";
import { keyProblem, textProblem } from "./name-rules";
import {
  isMap,
  isSpecial,
  isUnknown,
  parseWithUnknowns,
  type Properties,
  RESOURCE,
  SIGNATURE,
  withoutNil,
} from "./properties";
import { resourceAsValue } from "./resource-as-value";

/** A reason to refuse inputs before any request. The path is part of the text, because the engine prints the raw
 * value of a property that a failure names, secret or not. */
export interface CheckFailure {
  readonly path: string;
  readonly reason: string;
  /** The given value, for people: `"shop"`. Only of an id, an enum value or a number, never of an entry of a map. It may
   * still be a secret: only a caller that knows it is not one may show it. */
  readonly given?: string;
}

/** The result of `check`: the inputs with defaults, and why they are refused. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

/**
 * Parses inputs. A property that a preview does not know as a whole is not checked. An unknown value inside a map or list is
 * checked as a string. A `null` has no value: programs and SDKs send nothing for what they leave out.
 * @param what One input of `schema`, for people: `a property of EnvVarSet`.
 * @param olds Inputs of the last `up` or refresh.
 */
export function parseInputs(schema: z.ZodObject, news: Properties, what: string, olds: Properties = {}): Checked {
  const entries = Object.entries(withoutNil(news));
  const unknowns = Object.fromEntries(entries.filter(([, value]) => isUnknown(value)));
  const certain = entries.filter(([, value]) => !isUnknown(value));
  const names = Object.keys(schema.shape);
  const refused = [
    ...names.filter((name) => news[name] === null).map((path) => ({ path, reason: NO_VALUE })),
    ...problemsOfValues(Object.fromEntries(certain), olds),
  ];
  if (refused.length > 0) return { inputs: news, failures: refused };
  // All parts of an asset may be texts: then it would pass for a map of them.
  const assets = certain.filter(([, value]) => isSpecial(value)).map(([path]) => ({ path, reason: `is ${ASSET}` }));
  if (assets.length > 0) return { inputs: news, failures: assets };
  const parsed = parseWithUnknowns(without(schema, Object.keys(unknowns)), Object.fromEntries(certain));
  if (parsed.success) return { inputs: { ...withoutNil(parsed.data), ...unknowns }, failures: [] };
  return { inputs: news, failures: parsed.error.issues.flatMap((issue) => toFailures(issue, names, what)) };
}

/**
 * Values at any depth that nobody can mean: a resource in the place of one of its outputs, and texts, names of entries too. A text as in
 * `olds` is none: with `ignoreChanges` it is one that a refresh has found on the service, and not the program's.
 */
export function problemsOfValues(news: Properties, olds: Properties = {}): readonly CheckFailure[] {
  return Object.entries(news).flatMap(([name, value]) => problemsOfValue(value, name, olds[name]));
}

function problemsOfValue(value: unknown, path: string, old?: unknown): readonly CheckFailure[] {
  if (typeof value === "string") {
    if (value === old) return [];
    const reason = textProblem(value);
    return reason === undefined ? [] : [{ path, reason }];
  }
  if (Array.isArray(value)) {
    const oldItems: readonly unknown[] = Array.isArray(old) ? old : [];
    return value.flatMap((item, index) => problemsOfValue(item, `${path}.${index}`, oldItems[index]));
  }
  if (!isMap(value)) return [];
  if (value[SIGNATURE] === RESOURCE) return [{ path, reason: resourceAsValue(path) }];
  return Object.entries(value).flatMap(([name, entry]) => {
    // The engine's own key, of an asset: only `rebuildOn` takes one.
    const reason = name === SIGNATURE ? undefined : keyProblem(name);
    return [
      ...(reason === undefined ? [] : [{ path, reason }]),
      ...problemsOfValue(name, `a name in ${path}`),
      ...problemsOfValue(entry, `${path}.${name}`, isMap(old) ? old[name] : undefined),
    ];
  });
}

/** The schema without these properties. The schema itself when there are none, because making one is slow. */
function without(schema: z.ZodObject, names: readonly string[]): z.ZodObject {
  if (names.length === 0) return schema;
  return z.strictObject(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !names.includes(name))));
}

/** One line for a person: `variables.PORT must be a string`. It shows no value. */
export function describeFailure({ path, reason }: CheckFailure): string {
  return path === "" ? reason : `${displayableName(path)} ${reason}`;
}

/** One line for a person, with the given value, which must not be secret: `environmentId must be a UUID, but is "shop"`. */
export function describeFailureWithValue(failure: CheckFailure): string {
  const { given } = failure;
  return given === undefined ? describeFailure(failure) : `${describeFailure(failure)}, but is ${given}`;
}

function toFailures(issue: z.core.$ZodIssue, names: readonly string[], what: string): readonly CheckFailure[] {
  const path = issue.path.map(String);
  if (issue.code === "invalid_key")
    return [
      {
        path: path.slice(0, -1).join("."),
        reason: `has the name "${displayableName(path.at(-1) ?? "")}", which ${NOT_A_LINE}`,
      },
    ];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: [...path, key].join("."),
      reason: `is not ${what}.${didYouMean(key, names)}`,
    }));
  const type = typeGiven(issue);
  const given = path.length === 1 && type === "" ? givenText(issue) : undefined;
  const reason = issue.input === null ? NO_VALUE : reasonOf(issue) + type;
  return [{ path: path.join("."), reason, ...(given !== undefined && { given }) }];
}

/** Of a text that has to be one line: the only format that is given by a regular expression. */
const NOT_A_LINE = "must not have a control character or a line break";

const SHOWN_ISSUES: readonly string[] = ["invalid_format", "invalid_value", "too_small", "too_big"];

/** Shown only where the right form is known, so that a person sees the difference. */
function givenText({ code, input: value }: z.core.$ZodIssue): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" && SHOWN_ISSUES.includes(code)
    ? `"${displayableName(value)}"`
    : undefined;
}

/** The type of a value that has the wrong one, which may be a secret, and what to do. */
function typeGiven({ code, input, path: [property = "", ...within], ...issue }: z.core.$ZodIssue): string {
  if (input === undefined && (code === "invalid_type" || code === "invalid_value")) return ", but is missing";
  // A text or a number that is none of the choices is shown itself.
  const isChoice = code === "invalid_value" && typeof input !== "string" && typeof input !== "number";
  if ((code !== "invalid_type" && !isChoice) || input === undefined || input === null) return "";
  if (isSpecial(input)) return `, but is ${ASSET}`;
  const isText = "expected" in issue && issue.expected === "string";
  // An entry of a map, or the `value` of an EnvVar. The place of an item of a list is a number.
  const isValue = isText && (property === "value" || typeof within.at(-1) === "string");
  if (isMap(input)) return `, but is a map${isValue ? mapAdvice(String(property), within[0], input) : ""}`;
  if (Array.isArray(input)) return `, but is a list${isValue ? JSON_AS_TEXT : ""}`;
  // A fraction is a number: its value tells more.
  if (typeof input === "number" && "expected" in issue && issue.expected === "int") return "";
  // `Number(process.env.PULL_REQUEST)` of a text that is none.
  if (typeof input === "number" && !Number.isFinite(input)) return `, but is ${input}`;
  return `, but is a ${typeof input}${isText ? QUOTE_IT : ""}`;
}

/** @param entry the place of the map within the property. `undefined`: it is the property's value. */
function mapAdvice(property: string, entry: PropertyKey | undefined, map: Properties): string {
  // A program may pass a whole result of `variablesFromDotenv` instead of a map in it.
  const isResult = entry === "variables" || entry === "secrets";
  const itself = `: pass that map itself as \`${property}\``;
  if (Object.keys(map).length === 0) return `${isResult ? `${itself}, or, ` : ": "}${EMPTY_IN_YAML}`;
  return isResult ? itself : JSON_AS_TEXT;
}

/** Pulumi YAML puts an empty map there. */
const EMPTY_IN_YAML =
  "in YAML, where a map of another resource has `{}` in place of each Pulumi secret, take the secret from its source";

/** What is special and no resource. Only `rebuildOn` takes one, as an item. */
const ASSET = "an asset or archive: read the file and pass its text";

/** Pulumi YAML reads `8080`, `true` and JSON as no text, and so does `pulumi config set --path`. In an object, set like this, they stay texts. */
const AS_TEXT =
  "store it as text with `pulumi config set --path --type string OBJECT.KEY` (a secret: `pulumi config set --path --secret OBJECT.KEY`). " +
  "In Pulumi YAML, declare `OBJECT: {type: object, secret: true}` in `config`, and use `${OBJECT.KEY}`";
const QUOTE_IT = `: quote it, or ${AS_TEXT}`;
const JSON_AS_TEXT = `: if it is JSON of stack config, ${AS_TEXT}`;

/** Own texts: those of zod may quote the given value. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `must be ${article(issue.expected)}`;
  if (issue.code === "invalid_value")
    return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (issue.code === "invalid_format" && issue.format === "regex") return NOT_A_LINE;
  if (issue.code === "invalid_format") return `must be a ${issue.format === "guid" ? "UUID" : issue.format}`;
  if (issue.code === "too_small")
    return issue.origin === "string"
      ? "must not be empty"
      : `must be ${issue.inclusive === true ? "at least" : "greater than"} ${String(issue.minimum)}`;
  if (issue.code === "too_big") return `must be at most ${String(issue.maximum)}`;
  return "is not valid";
}

function article(expected: string): string {
  const names: Record<string, string> = { record: "map", int: "whole number", array: "list" };
  return `a ${names[expected] ?? expected}`;
}
