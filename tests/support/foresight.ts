import { isDeepStrictEqual } from "node:util";
import { isMap, isUnknown, type Properties } from "../../provider/src/framework/properties";

/** A preview called something certain, and something else came. */
export class UnforeseenError extends Error {}

/** What a preview showed as certain has to be what came. @throws UnforeseenError that names the place, without values. */
export function holdToForesight(foreseen: unknown, came: unknown, path: string = "outputs"): void {
  if (isUnknown(foreseen) || isDeepStrictEqual(foreseen, came)) return;
  if (!isMap(foreseen) || !isMap(came)) throw new UnforeseenError(`${path}: a preview showed something else`);
  for (const name of new Set([...Object.keys(foreseen), ...Object.keys(came)]))
    holdToForesight(own(foreseen, name), own(came, name), `${path}.${name}`);
}

function own(map: Properties, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
