import { isDeepStrictEqual, toUSVString } from "node:util";
import { asSecret, isMap, isSpecial, type Properties } from "../framework/properties";

// Inputs and state as the engine and the dynamic provider exchange them.

/** A mutable copy without `undefined` and lone surrogates, which cannot be sent to the engine. */
export function plain(bag: Properties): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(bag, (_key, value: unknown) => (typeof value === "string" ? toUSVString(value) : value)),
  );
}

/**
 * Checked inputs, with those of these names as secrets, a map entry by entry. The classes mark them, but a `transforms` function of the
 * program may then set a plain text, and Check cannot tell which values came as secrets.
 */
export function withSecrets(inputs: Properties, names: readonly string[]): Properties {
  const asSecrets = (value: unknown): unknown =>
    isMap(value) && !isSpecial(value)
      ? Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, asSecret(entry)]))
      : asSecret(value);
  const marked = names.filter((name) => Object.hasOwn(inputs, name)).map((name) => [name, asSecrets(inputs[name])]);
  return { ...inputs, ...Object.fromEntries(marked) };
}

/**
 * State of an update that is not finished, with whatever differs from its inputs, or from its state before a refresh, as a secret: it may come
 * from the inputs before, and may have been a secret there. The engine marks these outputs by the new inputs, or by that state, alone.
 */
export function differencesAsSecrets(state: Properties, known: Properties): Properties {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => {
      const wanted = Object.hasOwn(known, name) ? known[name] : undefined;
      if (isDeepStrictEqual(value, wanted)) return [name, value];
      return [name, isMap(value) && isMap(wanted) ? differencesAsSecrets(value, wanted) : asSecret(value)];
    }),
  );
}
