import * as z from "zod";
import { isNil, type Properties, withoutNil } from "./properties";

/** The inputs that have a default, with it. */
export function defaultsOf(inputs: z.ZodObject): Properties {
  const entries = Object.entries(inputs.shape).map(([name, field]) => [name, z.safeParse(field, undefined).data]);
  return withoutNil(Object.fromEntries(entries));
}

/** State of a version that did not have an input yet, with the input's default: it is no change. Other state as it is. */
export function withDefaults(old: Properties, defaults: Properties): Properties {
  const isWhole = Object.keys(defaults).every((name) => Object.hasOwn(old, name)) && !Object.values(old).some(isNil);
  return isWhole ? old : { ...defaults, ...withoutNil(old) };
}
