import { nearest } from "./nearest";

/** Properties that the engine adds to the settings of a provider. */
const OF_THE_ENGINE: readonly string[] = ["version", "pluginDownloadURL", "pluginChecksums"];

/**
 * Warnings of settings that do not exist: each names the nearest one that does. `prefix` is put before each name, as in the place
 * where settings are written: `previewenv:` in stack config.
 */
export function unknownSettings(given: readonly string[], known: readonly string[], prefix: string): readonly string[] {
  const unknown = given.filter(
    (name) => !known.includes(name) && !OF_THE_ENGINE.includes(name) && !name.startsWith("__"),
  );
  return unknown.map((name) => {
    const meant = nearest(name, known);
    const advice = meant === undefined ? `The settings are ${known.join(", ")}.` : `Did you mean ${prefix}${meant}?`;
    return `${prefix}${name} is not a setting of previewenv and has no effect. ${advice}`;
  });
}
