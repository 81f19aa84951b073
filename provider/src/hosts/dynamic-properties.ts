import { isDeepStrictEqual, toUSVString } from "node:util";
import { asSecret, isMap, type Properties } from "../framework/properties";
import type { MarkedEntries } from "../env-vars/secret-hints";
import { SECRET_PATHS_KEY, UNFINISHED_KEY } from "../framework/resource-facts";

// Inputs and state as the engine and the dynamic provider exchange them: with properties that no resource sees.

/** The property in which state holds the provider text. Resources never see it. */
export const PROVIDER_KEY = "__provider";
/** The property by which a program tells Check that this is a preview, and which run of the program. No state has it. */
export const PREVIEW_KEY = "__preview";
/** The property by which a program tells Check which resource it is about. No state has it. */
export const IDENTITY_KEY = "__identity";
/** The property by which a program tells Check which texts in its inputs are Pulumi secrets. No state has it. */
export const SECRET_TEXTS_KEY = "__secretTexts";
/** The property by which a program tells Check in a preview which entries of a visible input are Pulumi secrets. No state has it. */
const VISIBLE_SECRETS_KEY = "__visibleSecrets";

/** The entries of a visible input that a program tells Check to be Pulumi secrets. */
export function visibleSecretsIn({ [VISIBLE_SECRETS_KEY]: told }: Properties): MarkedEntries {
  if (told === "all") return told;
  return Array.isArray(told) ? told.map(String) : [];
}

/** Inputs or state without the keys of this host, as resources get them. */
export function withoutOwnKeys(bag: Properties): Properties {
  const {
    [PROVIDER_KEY]: _text,
    [PREVIEW_KEY]: _run,
    [IDENTITY_KEY]: _identity,
    [SECRET_TEXTS_KEY]: _texts,
    [VISIBLE_SECRETS_KEY]: _visible,
    [UNFINISHED_KEY]: _mark,
    [SECRET_PATHS_KEY]: _paths,
    ...rest
  } = bag;
  return rest;
}

/** Whether state is of an update that failed. */
export function isUnfinished(state: Properties): boolean {
  return state[UNFINISHED_KEY] === true;
}

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
