import * as z from "zod";
import { displayable, REFUSED_FROM } from "./error-text";
import type { Answer } from "./connections";
import type { Redact } from "./redact";

const MIB = 1024 * 1024;
/** A longer id, time or commit is refused. */
const MAX_ID_CHARACTERS = 1_000;
const MAX_PROBLEM_CHARACTERS = 1_500;
const MAX_TITLES = 5;
/** How a web page begins. */
const WEB_PAGE = /^\s*</u;

/** Whether a text is a web page. */
export function isWebPage(text: string): boolean {
  return WEB_PAGE.test(text);
}

/** The fault of an answer that is not JSON, for an error. */
export function describeNonJson({ headers, body }: Answer): string {
  // No request allows it.
  const encoding = displayable(headers["content-encoding"] ?? "");
  if (encoding !== "") return `it is not JSON: it is compressed (content-encoding: ${encoding}).`;
  return isWebPage(body)
    ? "it is not JSON but a web page. A gateway, a proxy or a login page may have answered in its place."
    : "it is not JSON.";
}

/** The fault of JSON of another shape, for an error: places and what was expected there, never what was received. */
export function describeOtherShape(error: z.ZodError): string {
  return z.prettifyError(error).slice(0, MAX_PROBLEM_CHARACTERS);
}

/** Whether the JSON of a body is a documented error: `{errors: [{title}, ...]}`. Gateways and proxies answer in other shapes. */
export function isDocumentedError(body: unknown): boolean {
  const [first]: unknown[] = isMap(body) && Array.isArray(body["errors"]) ? body["errors"] : [];
  return isMap(first) && typeof first["title"] === "string";
}

/**
 * Whether the JSON of a body says in any shape that something failed: an `errors` or `error` with something in it, or the status of an error.
 * The body of one item, which has an id, may have such a field of its own.
 */
export function hasErrors(body: unknown): boolean {
  if (!isMap(body)) return false;
  if (body["id"] !== undefined) return isDocumentedError(body);
  const { errors, error, status } = body;
  return isSaid(errors) || isSaid(error) || (typeof status === "number" && status >= REFUSED_FROM);
}

function isSaid(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/**
 * The text of an error body, ready for display. Empty when it is not JSON (such as a gateway's HTML) or has no text. The shape of a 400 is
 * not documented, so `{error}`, `{message}` and `{detail}` are read like `{errors: [{title}]}`.
 */
export function readTitles(text: string, hide: Redact): readonly string[] {
  const body = parseJson(text);
  const errors = isMap(body) ? (body["errors"] ?? body["error"] ?? body) : body;
  const items: unknown[] = Array.isArray(errors) ? errors.slice(0, MAX_TITLES) : [errors];
  const titles = items.map((item) => (isMap(item) ? (item["title"] ?? item["message"] ?? item["detail"]) : item));
  return titles.flatMap((title) => (typeof title === "string" ? displayable(title, hide) || [] : []));
}

/** An id, a name or a time: short. */
export const IdText = z.string().max(MAX_ID_CHARACTERS);

/** A text that may be missing, and then is empty: nothing depends on it. */
export const OptionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

/** A pull request's number. Null or absent when there is none. */
export const PullRequestNumber = z.int().nullish();

/** Refuses more than 1 MiB: the value goes into state, and state must fit into an error (docs/decisions/0013). */
export function atMostOneMib<S extends z.ZodType>(shape: S) {
  return shape.refine((value) => Buffer.byteLength(JSON.stringify(value) ?? "") <= MIB, "larger than 1 MiB");
}

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type CamelCased<Fields> = {
  readonly [Name in keyof Fields as CamelCase<Name & string>]: NonNullable<Fields[Name]>;
};

/**
 * An item as the service sends it: `{id, type, attributes}`, or flat. Fields of the shape are looked for in both. The result has their
 * names in camelCase, and leaves out what is null.
 */
export function itemOf<S extends z.ZodRawShape>(shape: S) {
  const names = Object.keys(shape);
  const renamed = new Map(names.map((name) => [name, camelCase(name)]));
  return z.preprocess(
    (item) => flatten(item, names),
    z.object(shape).transform((fields) => camelCased(fields, renamed)),
  );
}

/** @param renamed The names to be, by name: a list has thousands of fields with few names. */
function camelCased<Fields extends object>(fields: Fields, renamed: ReadonlyMap<string, string>): CamelCased<Fields>;
function camelCased(fields: object, renamed: ReadonlyMap<string, string>): object {
  const present: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) present[renamed.get(name) ?? name] = value;
  return present;
}

function camelCase(name: string): string {
  return name.replaceAll(/_[a-z]/gu, ([, letter = ""]) => letter.toUpperCase());
}

function flatten(item: unknown, names: readonly string[]): unknown {
  if (!isMap(item) || !isMap(item["attributes"])) return item;
  const { attributes } = item;
  const fields: Record<string, unknown> = {};
  for (const name of names) fields[name] = Object.hasOwn(attributes, name) ? attributes[name] : item[name];
  fields["id"] = item["id"];
  return fields;
}

/** The parsed text, or `undefined` when it is not JSON. */
export function parseJson(text: string): unknown {
  // Each 204 has none, and an exception for each of 1000 deletes costs time.
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with named entries: no list, no null. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
