import { isDeepStrictEqual } from "node:util";
import type { Checked } from "./check";
import { isMap, isUnknown, type Properties, UNKNOWN } from "./properties";

/** The outputs of a resource, by name. */
export interface Shape {
  readonly inputs: readonly string[];
  /** Every property of state, inputs among them. */
  readonly state: readonly string[];
}

/** State as a preview may show it: declared inputs, certain outputs, UNKNOWN for the other outputs. A certain output that is
 * `undefined` will not exist. */
export function completeOutputs({ inputs, state }: Shape, news: Properties, certain: Properties): Properties {
  const computed = state.filter((name) => !inputs.includes(name));
  const outputs = computed.flatMap((name): [string, unknown][] => {
    if (!Object.hasOwn(certain, name)) return [[name, UNKNOWN]];
    const value = certain[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...news, ...Object.fromEntries(outputs) };
}

/** Whether a value is unknown, or has something unknown in it. */
export function hasUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => hasUnknown(item));
  return isUnknown(value) || (isMap(value) && Object.values(value).some((item) => hasUnknown(item)));
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
