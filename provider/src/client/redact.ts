/** What stands in a text where a sent value was. */
export const REDACTED = "[secret]";

/** Values from this length on are replaced wherever they occur; shorter ones only where the text quotes them. */
const PLAIN_LENGTH = 4;
/** A service may cut what it echoes: a piece of a sent value of this length is replaced as well. */
const FRAGMENT_LENGTH = 8;
/** `encodeURIComponent` throws for such a value. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["‘", "’"],
  ["«", "»"],
];

/** Replaces every occurrence of the sent values in a text of the service by "[secret]". */
export function redact(text: string, values: readonly string[]): string {
  const forms = [...new Set(values.flatMap(spellings))].toSorted((a, b) => b.length - a.length);
  const whole = forms.reduce(redactForm, text);
  return redactFragments(whole, forms);
}

/** How a value may look in a message: as it is, escaped as in JSON, percent-encoded, on one line. */
function spellings(value: string): readonly string[] {
  const encoded = LONE_SURROGATE.test(value) ? value : encodeURIComponent(value);
  const oneLine = value.replaceAll(/\s+/gu, " ");
  return [value, value.trim(), oneLine, oneLine.trim(), JSON.stringify(value).slice(1, -1), encoded].filter(
    (form) => form !== "",
  );
}

function redactForm(text: string, form: string): string {
  if (form.length >= PLAIN_LENGTH) return text.replaceAll(form, () => REDACTED);
  return QUOTES.reduce(
    (done, [open, close]) => done.replaceAll(open + form + close, () => open + REDACTED + close),
    text,
  );
}

function redactFragments(text: string, forms: readonly string[]): string {
  const long = forms.filter((form) => form.length > FRAGMENT_LENGTH);
  if (long.length === 0) return text;
  // Values are joined by a character that no text to be shown contains, so that no piece spans two of them.
  const haystack = long.join("\u0000");
  let done = "";
  let at = 0;
  while (at < text.length) {
    const end = text.startsWith(REDACTED, at) ? at : fragmentEnd(text, at, haystack);
    done += end > at ? REDACTED : text.charAt(at);
    at = end > at ? end : at + 1;
  }
  return done;
}

/** Where the longest piece of a value that starts at `start` ends; `start` itself when there is none. */
function fragmentEnd(text: string, start: number, haystack: string): number {
  let end = start + FRAGMENT_LENGTH;
  if (end > text.length || !haystack.includes(text.slice(start, end))) return start;
  while (end < text.length && haystack.includes(text.slice(start, end + 1))) end++;
  return end;
}
