import { isDeepStrictEqual, toUSVString } from "node:util";
import { asSecret, isMap, type Properties } from "../framework/properties";

// Inputs and state as the engine and the dynamic provider exchange them.

/** Whether there are no properties. */
export function isEmpty(bag: Properties): boolean {
  return Object.keys(bag).length === 0;
}

/** A mutable copy without `undefined` and lone surrogates, which cannot be sent to the engine. */
export function plain(bag: Properties): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(bag, (_key, value: unknown) => (typeof value === "string" ? toUSVString(value) : value)),
  );
}

/**
 * State after a failed update, with whatever differs from its inputs as a secret: it may come from the inputs before, and may have been a
 * secret there. The engine marks these outputs by the new inputs alone.
 */
export function differencesAsSecrets(state: Properties, declared: Properties): Properties {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => {
      const wanted = Object.hasOwn(declared, name) ? declared[name] : undefined;
      if (isDeepStrictEqual(value, wanted)) return [name, value];
      return [name, isMap(value) && isMap(wanted) ? differencesAsSecrets(value, wanted) : asSecret(value)];
    }),
  );
}
