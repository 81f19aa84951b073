import { hasUnpairedSurrogate } from "./text-rules";

/** The replacement for a sent value in a text. */
const REDACTED = "[secret]";

/** Takes values out of a text of the service. */
export type Redact = (text: string) => string;

/** From which length on a value is searched for, and which length of a piece is too much to show. */
interface Thresholds {
  /** Shorter values are replaced only where the text quotes them. */
  readonly plainLength: number;
  /** A service may shorten values that it repeats: a piece of a value of this length is replaced as well. */
  readonly fragmentLength: number;
}

/** For values of the request that is answered: its texts are the most likely to repeat them. */
const OWN: Thresholds = { plainLength: 4, fragmentLength: 8 };
const QUOTES: readonly string[] = ['""', "''", "``", "“”", "‘’", "«»"];
/** Of more characters no pieces are kept: then no text is shown at all. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Prepares the replacement of values by "[secret]" in many texts: the work for a text depends on its length, not on how many values
 * there are. What is prepared is made with the first text. When the values have more than 1 Mi characters, a text is replaced as a whole.
 */
export function redactor(values: readonly string[], { plainLength, fragmentLength }: Thresholds = OWN): Redact {
  const isTooMuch = values.reduce((sum, { length }) => sum + length, 0) > MAX_CHARACTERS;
  let sought: ReadonlySet<string> | undefined;
  return (text) => {
    if (text === "") return text;
    if (isTooMuch) return REDACTED;
    sought ??= piecesOf(values, fragmentLength);
    let shown = "";
    let isSecret = false;
    let secretUntil = 0;
    for (let at = 0; at < text.length; at++) {
      for (let length = 1; length <= fragmentLength && at + length <= text.length; length++)
        if (sought.has(text.slice(at, at + length)) && (length >= plainLength || isQuoted(text, at, length)))
          secretUntil = Math.max(secretUntil, at + length);
      const wasSecret = isSecret;
      isSecret = at < secretUntil;
      if (!isSecret) shown += text.charAt(at);
      else if (!wasSecret) shown += REDACTED;
    }
    return shown;
  };
}

/** What is looked for in a text: short values whole, long ones by all their pieces of a length. */
function piecesOf(values: readonly string[], length: number): ReadonlySet<string> {
  const pieces = new Set<string>();
  for (const form of values.flatMap(spellings))
    for (let at = 0; at === 0 || at + length <= form.length; at++) pieces.add(form.slice(at, at + length));
  return pieces;
}

/** How a value may look in a message: as it is, escaped as in JSON, percent-encoded, on one line. */
function spellings(value: string): readonly string[] {
  // `encodeURIComponent` throws for such a value.
  const encoded = hasUnpairedSurrogate(value) ? value : encodeURIComponent(value);
  const oneLine = value.replaceAll(/\s+/gu, " ");
  return [value, value.trim(), oneLine, oneLine.trim(), JSON.stringify(value).slice(1, -1), encoded].filter(
    (form) => form !== "",
  );
}

function isQuoted(text: string, at: number, length: number): boolean {
  return QUOTES.includes(text.charAt(at - 1) + text.charAt(at + length));
}

/** Values of earlier requests are searched for only when they are too long to be an ordinary word or a piece of one. */
const EARLIER: Thresholds = { plainLength: 8, fragmentLength: 16 };

/**
 * Values that no text of the service may show: the token, the values of the request that is answered, and hidden values that
 * this process sent before. They are kept in memory only. Once they have more than 1 Mi characters, no text is shown any more.
 */
export class SentValues {
  readonly #token: Redact;
  readonly #values = new Set<string>();
  #earlier: Redact = redactor([]);

  constructor(apiToken: string) {
    this.#token = redactor([apiToken]);
  }

  /** Notes hidden values that are sent now. */
  remember(values: readonly string[]): void {
    const { size } = this.#values;
    for (const value of values) if (value.length >= EARLIER.plainLength) this.#values.add(value);
    if (this.#values.size > size) this.#earlier = redactor([...this.#values], EARLIER);
  }

  /** Takes everything secret out of the texts that answer one request with these values. */
  redactorFor(sentValues: readonly string[]): Redact {
    const own = redactor(sentValues);
    return (text) => this.#earlier(own(this.#token(text)));
  }
}
