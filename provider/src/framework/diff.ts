import { isDeepStrictEqual } from "node:util";
import { isMap, withoutNil, type Properties } from "./properties";

const PLAIN_STEP = /^[\w-]+$/u;
/** In quotes a backslash escapes a quote and nothing else. */
const STEP = /\.?(?<plain>[^.[\]]+)|\[(?<index>\d+|\*)\]|\["(?<quoted>(?:\\"|[^"])*)"\]/gu;
const WILDCARD = "*";

/** One changed property, named by its path: `["secrets", "DATABASE_URL"]`. */
export interface PropertyChange {
  readonly path: readonly string[];
  readonly kind: "add" | "delete" | "update";
  /** Another resource of this run deleted it: it must be written again, even when the program ignores it. Only the plugin asks. */
  readonly deletedInRun?: boolean;
  /** The engine would not see it by comparing inputs. */
  readonly mustReport?: boolean;
}

/** The differences between state and what the program declares. */
export interface Diff {
  readonly changes: readonly PropertyChange[];
  /** Top-level properties whose change needs a new resource. */
  readonly replaces: readonly string[];
  /** True when the engine would not see the difference by comparing inputs: a host must report it. */
  readonly mustReport: boolean;
}

/** The engine's own diff skips names that begin with this (`pkg/display`). */
export const INTERNAL_PREFIX = "__";

/** Compares the named inputs. Maps are compared entry by entry, everything else as a whole. */
export function diffInputs(state: Properties, news: Properties, names: readonly string[]): readonly PropertyChange[] {
  const olds = withoutNil(state);
  const wanted = withoutNil(news);
  return names.flatMap((name) => diffValue([name], olds[name], wanted[name]));
}

/** The diff that follows from changes. */
export function toDiff(changes: readonly PropertyChange[], replaceOnChanges: readonly string[]): Diff {
  const roots = new Set(changes.map(({ path }) => path[0]));
  const isOutsideInputs = changes.some(({ mustReport = false }) => mustReport);
  return {
    changes,
    replaces: replaceOnChanges.filter((name) => roots.has(name)),
    mustReport: isOutsideInputs || (changes.length > 0 && changes.every(({ path }) => isInternal(path))),
  };
}

/** The changes between two values of one property. */
export function diffValue(path: readonly string[], old: unknown, wanted: unknown): readonly PropertyChange[] {
  if (isDeepStrictEqual(old, wanted) || (isEmpty(old) && isEmpty(wanted))) return [];
  if (old === undefined) return [{ path, kind: "add" }];
  if (wanted === undefined) return [{ path, kind: "delete" }];
  if (!isMap(old) || !isMap(wanted)) return [{ path, kind: "update" }];
  const keys = new Set([...Object.keys(old), ...Object.keys(wanted)]);
  return [...keys].flatMap((key) => diffValue([...path, key], own(old, key), own(wanted, key)));
}

/** No entries: a map that is not there says the same as one without entries. */
function isEmpty(value: unknown): boolean {
  return value === undefined || (isMap(value) && Object.keys(value).length === 0);
}

function own(map: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function isInternal(path: readonly string[]): boolean {
  return path.some((name) => name.startsWith(INTERNAL_PREFIX));
}

/** A path as the engine reads it: `secrets.TOKEN`, `variables["with.dot"]` (`sdk/go/common/resource/properties_path.go`). */
export function formatPath([root = "", ...steps]: readonly string[]): string {
  return (
    root + steps.map((step) => (PLAIN_STEP.test(step) ? `.${step}` : `["${step.replaceAll('"', '\\"')}"]`)).join("")
  );
}

/** The steps of a path of the engine, or of one that a program wrote, for example in `ignoreChanges`. */
export function parsePath(path: string): readonly string[] {
  return [...path.matchAll(STEP)].map(({ groups = {} }) => {
    const { plain, index, quoted } = groups;
    return plain ?? index ?? (quoted ?? "").replaceAll('\\"', '"');
  });
}

/** Whether a path is, or lies below, one of the given ones. `*` stands for any step. */
export function isWithin(path: readonly string[], roots: readonly (readonly string[])[]): boolean {
  return roots.some(
    (root) => root.length <= path.length && root.every((step, index) => step === WILDCARD || step === path[index]),
  );
}
