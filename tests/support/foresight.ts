import { isDeepStrictEqual } from "node:util";
import { isMap, isUnknown, type Properties } from "../../provider/src/framework/properties";

/** A preview called something certain, and something else came. */
export class UnforeseenError extends Error {}

const VALUES = ["variables", "secrets"] as const;

/** What a preview showed as certain has to be what came. @throws UnforeseenError that names the place, without values. */
export function holdToForesight(foreseen: unknown, came: unknown, path: string = "outputs"): void {
  compare(foreseen, isMap(foreseen) && isMap(came) ? withoutLeft(foreseen, came) : came, path);
}

function compare(foreseen: unknown, came: unknown, path: string): void {
  if (isUnknown(foreseen) || isDeepStrictEqual(foreseen, came)) return;
  if (!isMap(foreseen) || !isMap(came)) throw new UnforeseenError(`${path}: a preview showed something else`);
  for (const name of new Set([...Object.keys(foreseen), ...Object.keys(came)]))
    compare(own(foreseen, name), own(came, name), `${path}.${name}`);
}

/** Until another resource has written it, a name stays in the state of the set that hands it over, with its scope. */
function withoutLeft(foreseen: Properties, came: Properties): Properties {
  const left = VALUES.flatMap((map) => {
    const shown = own(foreseen, map);
    if (isUnknown(shown)) return [];
    return Object.entries(mapOf(own(came, map))).flatMap(([name, value]) =>
      own(mapOf(shown), name) === undefined && isPlaceholder(value) ? [name] : [],
    );
  });
  const stripped = [...VALUES, "scopes"].flatMap((map) => {
    const [shown, found] = [own(foreseen, map), own(came, map)];
    if (isUnknown(shown) || !isMap(found)) return [];
    const rest = Object.entries(found).filter(
      ([name]) => !left.includes(name) || own(mapOf(shown), name) !== undefined,
    );
    return [[map, rest.length === 0 && shown === undefined ? undefined : Object.fromEntries(rest)] as const];
  });
  return { ...came, ...Object.fromEntries(stripped) };
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("previewenv:unknown:");
}

function mapOf(value: unknown): Properties {
  return isMap(value) ? value : {};
}

function own(map: Properties, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
