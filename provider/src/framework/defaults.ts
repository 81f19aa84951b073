import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Checked } from "./check";
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

/** The inputs that a program has to declare: those that `check` does not fill in. */
export function withoutDefaults(inputs: Properties, check: (news: Properties) => Checked): Properties {
  const whole = check(inputs).inputs;
  const needless = Object.keys(inputs).filter((name) => {
    const { [name]: _value, ...rest } = inputs;
    const checked = check(rest);
    return checked.failures.length === 0 && isDeepStrictEqual(checked.inputs, whole);
  });
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !needless.includes(name)));
}
