import type { EnvVar } from "../client/env-vars";
import type { Variable } from "./variable";

/** U+FFFD is what an encoder writes for a part of a character: a service may cut a value between two code units or two bytes. */
const MIDDLE = /[*\uFFFD]*\*[*\uFFFD]*/gu;

/**
 * Whether a value may be behind a mask. The specification: "a leading part and a trailing part stay visible and the
 * middle is replaced by asterisks". How long the parts are is not shown, nor whether the number of asterisks tells the
 * length, so nothing is read from lengths. A value may hold asterisks itself, so each run of them may be the middle.
 */
export function fitsMask(value: string, mask: string): boolean {
  if (value === mask) return true;
  return [...mask.matchAll(MIDDLE)].some(
    ({ index, 0: middle }) =>
      value.startsWith(mask.slice(0, index)) && value.endsWith(mask.slice(index + middle.length)),
  );
}

/** Whether what the service shows of a value, with the declared visibility, can be the declared one. */
export function fitsValue(listed: EnvVar, { value, hidden }: Pick<Variable, "value" | "hidden">): boolean {
  return hidden ? fitsMask(value, listed.value) : listed.value === value;
}
