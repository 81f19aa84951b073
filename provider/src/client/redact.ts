import { hasHalfCharacter } from "./names";

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
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["‘", "’"],
  ["«", "»"],
]);
/** Of more characters no pieces are kept: then no text is shown at all. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Prepares the replacement of values by "[secret]" in many texts: the work for a text depends on its length, hardly on how many values
 * there are. What is prepared is made with the first text. When the values have more than 1 Mi characters, a text is replaced as a whole.
 */
export function redactor(values: readonly string[], thresholds: Thresholds = OWN): Redact {
  const isTooMuch = values.reduce((sum, { length }) => sum + length, 0) > MAX_CHARACTERS;
  let index: Index | undefined;
  return (text) => {
    if (text === "") return text;
    if (isTooMuch) return REDACTED;
    index ??= new Index(values, thresholds);
    return replaceMarked(text, index.mark(text));
  };
}

/** How a value may look in a message: as it is, escaped as in JSON, percent-encoded, on one line. */
function spellings(value: string): readonly string[] {
  // `encodeURIComponent` throws for such a value.
  const encoded = hasHalfCharacter(value) ? value : encodeURIComponent(value);
  const oneLine = value.replaceAll(/\s+/gu, " ");
  return [value, value.trim(), oneLine, oneLine.trim(), JSON.stringify(value).slice(1, -1), encoded].filter(
    (form) => form !== "",
  );
}

/** Values as they are looked for: short ones whole, long ones by their pieces. */
class Index {
  readonly #thresholds: Thresholds;
  readonly #short = new Set<string>();
  /** Of the short ones. */
  readonly #lengths: ReadonlySet<number>;
  readonly #pieces = new Set<string>();

  constructor(values: readonly string[], thresholds: Thresholds) {
    const { fragmentLength } = thresholds;
    this.#thresholds = thresholds;
    for (const form of values.flatMap(spellings))
      if (form.length < fragmentLength) this.#short.add(form);
      else
        for (let at = 0; at + fragmentLength <= form.length; at++)
          this.#pieces.add(form.slice(at, at + fragmentLength));
    this.#lengths = new Set([...this.#short].map(({ length }) => length));
  }

  /** One for each character of a text that belongs to a value. */
  mark(text: string): Uint8Array {
    const marks = new Uint8Array(text.length);
    const { fragmentLength, plainLength } = this.#thresholds;
    for (let at = 0; at < text.length; at++) {
      if (this.#pieces.has(text.slice(at, at + fragmentLength))) marks.fill(1, at, at + fragmentLength);
      for (const length of this.#lengths)
        if (length >= plainLength || isQuoted(text, at, length))
          if (at + length <= text.length && this.#short.has(text.slice(at, at + length)))
            marks.fill(1, at, at + length);
    }
    return marks;
  }
}

function isQuoted(text: string, at: number, length: number): boolean {
  const close = QUOTES.get(text.charAt(at - 1));
  return close !== undefined && text.charAt(at + length) === close;
}

function replaceMarked(text: string, marks: Uint8Array): string {
  let done = "";
  for (let at = 0; at < text.length;) {
    const isMarked = marks[at] === 1;
    const end = marks.indexOf(isMarked ? 0 : 1, at);
    const until = end === -1 ? text.length : end;
    done += isMarked ? REDACTED : text.slice(at, until);
    at = until;
  }
  return done;
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
