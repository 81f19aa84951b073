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

// A service may keep another form of a value than was sent, such as one without the last line break.

/** Forms in which a service may keep what it is sent. */
const FORMS: readonly (readonly [string, (value: string) => string])[] = [
  ["", (value) => value],
  ["without the white space at its ends", (value) => value.trim()],
  ["with line feeds as its line breaks", withLineFeeds],
  [
    "without the white space at its ends and with line feeds as its line breaks",
    (value) => withLineFeeds(value).trim(),
  ],
  ["with composed characters (the form NFC of Unicode)", (value) => value.normalize("NFC")],
];
const OTHER_SPACE = "with other white space";

/** The form of a value that the service shows, in words. "" when it can be the value itself. `undefined` when none is known that fits. */
export function formOf({ value }: Pick<Variable, "value">, shown: EnvVar): string | undefined {
  const found = FORMS.find(([, toForm]) => fitsValue(shown, { hidden: shown.hidden, value: toForm(value) }));
  if (found !== undefined || shown.hidden) return found?.[0];
  return withoutSpace(value) === withoutSpace(shown.value) ? OTHER_SPACE : undefined;
}

function withLineFeeds(value: string): string {
  return value.replaceAll(/\r\n?/gu, "\n");
}

function withoutSpace(value: string): string {
  return value.normalize("NFC").replaceAll(/\s+/gu, "");
}

/**
 * Whether the service keeps another form of a value, as far as it shows that. Of a hidden one only the ends are seen. A hidden value that fits
 * no form counts as another form. A visible one is a contradiction.
 */
export function isShownInOtherForm({ kind, value }: Variable, shown: EnvVar): boolean {
  if (kind === "existing") return false;
  const form = formOf({ value }, shown);
  return form === undefined ? shown.hidden : form !== "";
}
