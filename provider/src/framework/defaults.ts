import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { isMap, type Properties, withoutNil } from "./properties";

/** The inputs that have a default, with it. */
export function defaultsOf(inputs: z.ZodObject): Properties {
  const entries = Object.entries(inputs.shape).map(([name, field]) => [name, z.safeParse(field, undefined).data]);
  return withoutNil(Object.fromEntries(entries));
}

/** The inputs that a program has to declare: not those that equal their default, nor an empty map or list. */
export function withoutDefaults(inputs: Properties, defaults: Properties): Properties {
  const isEmpty = (value: unknown): boolean =>
    (isMap(value) || Array.isArray(value)) && Object.keys(value).length === 0;
  const entries = Object.entries(inputs);
  return Object.fromEntries(
    entries.filter(([name, value]) => !isEmpty(value) && !isDeepStrictEqual(value, defaults[name])),
  );
}
