import { isDeepStrictEqual, toUSVString } from "node:util";
import { EARLIER_SECRETS_KEY } from "../framework/host-keys";
import { asSecret, isMap, isSpecial, pick, type Properties } from "../framework/properties";
import { toldSecretTexts } from "../framework/secret-texts";

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

/** State of an update that is not finished, as a refresh or that update has it. */
interface UnfinishedState {
  readonly state: Properties;
  /** The inputs of the update, or the state before the refresh. The engine marks secrets by these alone. */
  readonly known: Properties;
  /** The state before, with what the host keeps in it. */
  readonly olds: Properties;
}

/**
 * The inputs of these names in such state, and the texts of earlier secrets. Whatever differs from what is known is a secret: it may come from the
 * inputs before, and may have been a secret there.
 */
export function unfinishedInputs(names: readonly string[], { state, known, olds }: UnfinishedState): Properties {
  const texts = names.map((name) => [name, [...new Set(toldSecretTexts([name], olds))]] as const);
  const earlier = texts.filter(([, own]) => own.length > 0);
  return {
    ...differencesAsSecrets(pick(state, names), known),
    ...(earlier.length > 0 && { [EARLIER_SECRETS_KEY]: asSecret(Object.fromEntries(earlier)) }),
  };
}

function differencesAsSecrets(state: Properties, known: Properties): Properties {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => {
      const wanted = Object.hasOwn(known, name) ? known[name] : undefined;
      if (isDeepStrictEqual(value, wanted)) return [name, value];
      return [name, isMap(value) && isMap(wanted) ? differencesAsSecrets(value, wanted) : asSecret(value)];
    }),
  );
}
