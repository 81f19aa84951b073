import { didYouMean } from "../../command/did-you-mean";

/** Something that was read does not have the shape it must have. */
export class ShapeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ShapeError";
  }
}

/** A JSON object, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An array of nothing but strings. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/**
 * A field that does not exist would have no effect, and a test that gives it would pass for no reason.
 * @param known all fields that there are: the compiler holds them complete
 * @throws ShapeError that names the first unknown one, and the nearest known one
 */
export function refuseUnknown<T extends object>(
  given: T,
  known: Readonly<Record<keyof T, unknown>>,
  where: string,
): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const others = names.length === 0 ? "none" : names.join(", ");
  const advice = didYouMean(unknown, names) || ` Its fields are: ${others}.`;
  throw new ShapeError(`${where} has no field ${JSON.stringify(unknown)}.${advice}`);
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isFlag = (value: unknown) => typeof value === "boolean";

/**
 * Reads the fields of one JSON object. Each error says where the field was expected. null counts as left out. The fields that were read are
 * those that there are.
 */
export class Fields {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #where: string;
  readonly #read = new Set<string>();

  constructor(value: unknown, where: string) {
    if (!isObject(value)) throw new ShapeError(`${where} must be an object`);
    this.#object = value;
    this.#where = where;
  }

  /** The raw value. Undefined when it is left out or null. */
  raw(key: string): unknown {
    this.#read.add(key);
    return Object.hasOwn(this.#object, key) ? (this.#object[key] ?? undefined) : undefined;
  }

  optionalText(key: string): string | undefined {
    return this.#optional(key, isText, "a string");
  }

  text(key: string): string {
    return this.#required(key, this.optionalText(key), "a string");
  }

  optionalNumber(key: string): number | undefined {
    return this.#optional(key, isNumber, "a number");
  }

  number(key: string): number {
    return this.#required(key, this.optionalNumber(key), "a number");
  }

  optionalFlag(key: string): boolean | undefined {
    return this.#optional(key, isFlag, "true or false");
  }

  flag(key: string): boolean {
    return this.#required(key, this.optionalFlag(key), "true or false");
  }

  optionalTexts(key: string): readonly string[] | undefined {
    return this.#optional(key, isTexts, "an array of strings");
  }

  /** Called when everything was read. @throws ShapeError for a field that was not */
  refuseUnread(): void {
    refuseUnknown(this.#object, Object.fromEntries([...this.#read].map((key) => [key, true])), this.#where);
  }

  /** Each item of an array, read by `read`. An array that is left out is empty. */
  list<T>(key: string, read: (item: Fields) => T): T[] {
    const value = this.raw(key) ?? [];
    if (!Array.isArray(value)) throw this.#wrong(key, "an array");
    return value.map((item: unknown, index) => wholly(new Fields(item, `${this.#where}.${key}[${index}]`), read));
  }

  /** A nested object, read by `read`. Undefined when it is left out. */
  optionalObject<T>(key: string, read: (fields: Fields) => T): T | undefined {
    const value = this.raw(key);
    return value === undefined ? undefined : wholly(new Fields(value, `${this.#where}.${key}`), read);
  }

  /** Every field whose value is a string. Anything else is an error. */
  textEntries(): [string, string][] {
    return Object.keys(this.#object).map((key) => {
      const value = this.raw(key);
      if (typeof value !== "string") throw this.#wrong(key, "a string");
      return [key, value];
    });
  }

  #optional<T>(key: string, is: (value: unknown) => value is T, expected: string): T | undefined {
    const value = this.raw(key);
    if (value === undefined || is(value)) return value;
    throw this.#wrong(key, expected);
  }

  #required<T>(key: string, value: T | undefined, expected: string): T {
    if (value === undefined) throw this.#wrong(key, expected);
    return value;
  }

  #wrong(key: string, expected: string): ShapeError {
    return new ShapeError(`${this.#where}.${key} must be ${expected}`);
  }
}

function wholly<T>(fields: Fields, read: (fields: Fields) => T): T {
  const result = read(fields);
  fields.refuseUnread();
  return result;
}
