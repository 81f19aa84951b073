import type * as z from "zod";
import { isMap, isUnknown, type Properties, UNKNOWN } from "./properties";

/** Parses properties; what is not known yet within them is a text to the schema, or a list of one text. */
export function parseWithUnknowns<S extends z.ZodObject>(
  schema: S,
  bag: Properties,
): z.ZodSafeParseResult<z.output<S>> {
  const first = schema.safeParse(bag);
  if (first.success) return first;
  const lists = first.error.issues.filter((issue) => issue.code === "invalid_type" && issue.expected === "array");
  if (lists.length === 0) return first;
  return schema.safeParse(withLists(bag, new Set(lists.map(({ path }) => JSON.stringify(path)))));
}

/** The same properties with a list of one unknown text at each of these paths where something unknown stands. */
function withLists(bag: Properties, paths: ReadonlySet<string>): Properties {
  const replaced = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (isUnknown(value)) return paths.has(JSON.stringify(path)) ? [UNKNOWN] : value;
    if (!isMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, [...path, name])]));
  };
  return Object.fromEntries(Object.entries(bag).map(([name, value]) => [name, replaced(value, [name])]));
}
