import { isDeepStrictEqual } from "node:util";
import { PreviewenvError } from "../client/errors";
import { MIN_PLAIN_LENGTH, OwnTexts } from "../client/redact";
import type { Log } from "./context";
import { asSecret, isMap, isUnknown, type Path, pick, type Properties } from "./properties";
import { EARLIER_SECRETS_KEY, SECRET_PATHS_KEY } from "./host-keys";

/**
 * Pulumi secrets in inputs that are no secrets by their declaration, such as a branch or a service. The engine encrypts them where they are
 * declared. No message and no other output may repeat them.
 */
export class SecretTexts {
  readonly #texts = new Set<string>();
  readonly #own = new OwnTexts();

  constructor(texts: Iterable<string> = []) {
    this.add(texts);
  }

  add(texts: Iterable<string>): void {
    for (const text of texts) {
      if (text === "" || this.#texts.has(text)) continue;
      this.#texts.add(text);
      this.#own.add(text);
    }
  }

  /** The paths, of a bag's inputs with these names, at which there is one. */
  pathsIn(bag: Properties, names: readonly string[]): readonly Path[] {
    const pathsOf = (value: unknown, path: Path): readonly Path[] => {
      if (typeof value === "string") return this.#texts.has(value) ? [path] : [];
      if (typeof value !== "object" || value === null) return [];
      return Object.entries(value).flatMap(([name, item]) => pathsOf(item, [...path, name]));
    };
    return this.#texts.size === 0 ? [] : names.flatMap((name) => pathsOf(bag[name], [name]));
  }

  /** The reasons without them. */
  hideInAll(reasons: readonly string[]): readonly string[] {
    return reasons.map((reason) => this.hide(reason));
  }

  /** The text without them. */
  hide(text: string): string {
    return this.#texts.size === 0 ? text : this.#own.redact(text);
  }

  /** A log that shows none of them. */
  hideIn(log: Log): Log {
    return {
      info: (text) => log.info(this.hide(text)),
      warn: (text) => log.warn(this.hide(text)),
      status: (text) => log.status(this.hide(text)),
    };
  }

  /** An error as it may be shown. */
  hideInError(error: unknown): unknown {
    const isShown = this.#texts.size > 0 && error instanceof PreviewenvError;
    return isShown ? error.withMessage(this.hide(error.message)) : error;
  }

  /**
   * Inputs or state, with what repeats one in the properties of these names marked as a secret. A list is marked as a whole, as everywhere.
   * What is as it was before stays as it is.
   */
  markIn(bag: Properties, names: readonly string[], before: Properties = {}): Properties {
    if (this.#texts.size === 0) return bag;
    const marked = Object.entries(pick(bag, names)).map(([name, value]) => [name, this.#marked(value, before[name])]);
    return { ...bag, ...Object.fromEntries(marked) };
  }

  #marked(value: unknown, before?: unknown): unknown {
    if (isDeepStrictEqual(value, before)) return value;
    if (!isMap(value)) return textsIn(value).some((text) => this.#isRepeatedIn(text)) ? asSecret(value) : value;
    const old = isMap(before) ? new Map(Object.entries(before)) : undefined;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#marked(item, old?.get(name))]));
  }

  #isRepeatedIn(value: string): boolean {
    return [...this.#texts].some((text) => value === text || (text.length >= MIN_PLAIN_LENGTH && value.includes(text)));
  }
}

/** The paths of the Pulumi secrets that a program tells Check, or that state has. */
export function secretPathsIn({ [SECRET_PATHS_KEY]: told }: Properties): readonly Path[] {
  return Array.isArray(told) ? told.map((path) => (Array.isArray(path) ? path.map(String) : [])) : [];
}

/** The texts of these secrets in the properties of some names, as far as they are known, and those from before unfinished updates. */
export function toldSecretTexts(names: readonly string[], bag: Properties): readonly string[] {
  const at = (value: unknown, name: string): unknown =>
    typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  const paths = secretPathsIn(bag).filter(([name = ""]) => names.includes(name));
  const told = paths.flatMap((path) => textsIn(path.reduce<unknown>(at, bag))).filter((text) => !isUnknown(text));
  return [...told, ...names.flatMap((name) => textsIn(at(bag[EARLIER_SECRETS_KEY], name)))];
}

/** The texts within a value. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isMap(value) ? Object.values(value).flatMap(textsIn) : [];
}
