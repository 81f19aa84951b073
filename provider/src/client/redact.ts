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
/** `encodeURIComponent` throws for such a value. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["‘", "’"],
  ["«", "»"],
]);
/** Between values, so that no piece spans two of them. */
const SEPARATOR = "\u0000";

/** Replaces every occurrence of the sent values in a text of the service by "[secret]". */
export function redact(text: string, values: readonly string[]): string {
  return redactor(values)(text);
}

/**
 * Prepares the replacement of values in many texts: the work for a text depends on its length, hardly on how many values
 * there are. What is prepared is made with the first text.
 */
export function redactor(values: Iterable<string>, thresholds: Thresholds = OWN): Redact {
  let index: Index | undefined;
  return (text) => {
    if (text === "") return text;
    index ??= new Index(values, thresholds);
    return replaceMarked(text, index.mark(text));
  };
}

/** How a value may look in a message: as it is, escaped as in JSON, percent-encoded, on one line. */
function spellings(value: string): readonly string[] {
  const encoded = LONE_SURROGATE.test(value) ? value : encodeURIComponent(value);
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
  readonly #pieces: Filter;
  readonly #haystack: string;

  constructor(values: Iterable<string>, thresholds: Thresholds) {
    const { fragmentLength } = thresholds;
    this.#thresholds = thresholds;
    const long = new Set<string>();
    for (const value of values)
      for (const form of spellings(value)) (form.length < fragmentLength ? this.#short : long).add(form);
    this.#lengths = new Set([...this.#short].map(({ length }) => length));
    this.#haystack = [...long].join(SEPARATOR);
    this.#pieces = new Filter(this.#haystack.length);
    for (let at = 0; at + fragmentLength <= this.#haystack.length; at++)
      this.#pieces.add(this.#haystack, at, fragmentLength);
  }

  /** One for each character of a text that belongs to a value. */
  mark(text: string): Uint8Array {
    const marks = new Uint8Array(text.length);
    const { fragmentLength, plainLength } = this.#thresholds;
    for (let at = 0; at < text.length; at++) {
      if (this.#hasPiece(text, at)) marks.fill(1, at, at + fragmentLength);
      for (const length of this.#lengths)
        if (length >= plainLength || isQuoted(text, at, length))
          if (at + length <= text.length && this.#short.has(text.slice(at, at + length)))
            marks.fill(1, at, at + length);
    }
    return marks;
  }

  #hasPiece(text: string, at: number): boolean {
    const { fragmentLength } = this.#thresholds;
    if (at + fragmentLength > text.length || !this.#pieces.mayHave(text, at, fragmentLength)) return false;
    return this.#haystack.includes(text.slice(at, at + fragmentLength));
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

const SLOTS_PER_PIECE = 8;
const MIN_SLOTS = 2 ** 10;
const MAX_SLOTS = 2 ** 24;
const HASH_FACTOR = 0x9e3779b1;
const HASH_SHIFT = 15;

/** Which hashes occur. Two pieces may share a slot, which costs time only. */
class Filter {
  readonly #slots: Uint8Array;

  constructor(pieces: number) {
    const wanted = Math.min(MAX_SLOTS, Math.max(MIN_SLOTS, pieces * SLOTS_PER_PIECE));
    this.#slots = new Uint8Array(2 ** Math.ceil(Math.log2(wanted)));
  }

  add(text: string, at: number, length: number): void {
    this.#slots[this.#slotOf(text, at, length)] = 1;
  }

  mayHave(text: string, at: number, length: number): boolean {
    return this.#slots[this.#slotOf(text, at, length)] === 1;
  }

  #slotOf(text: string, at: number, length: number): number {
    let sum = 0;
    for (let offset = 0; offset < length; offset++) {
      sum = Math.imul(sum ^ text.charCodeAt(at + offset), HASH_FACTOR);
      sum ^= sum >>> HASH_SHIFT;
    }
    return sum & (this.#slots.length - 1);
  }
}

/** Values of earlier requests are searched for only when they are too long to be an ordinary word or a piece of one. */
const EARLIER: Thresholds = { plainLength: 8, fragmentLength: 16 };
/** When this many characters are kept, the older half is forgotten next. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Values that no text of the service may show: the token, the values of the request that is answered, and hidden values that
 * this process sent before. It keeps the last one to two million characters of these, in memory only.
 */
export class SentValues {
  readonly #token: Redact;
  #recent = new Set<string>();
  #older = new Set<string>();
  #characters = 0;
  #earlier: Redact | undefined;

  constructor(apiToken: string) {
    this.#token = redactor([apiToken]);
  }

  /** Notes hidden values that are sent now. */
  remember(values: readonly string[]): void {
    for (const value of values) {
      if (value.length < EARLIER.plainLength || this.#recent.has(value)) continue;
      this.#recent.add(value);
      this.#characters += value.length;
      this.#earlier = undefined;
    }
    if (this.#characters <= MAX_CHARACTERS) return;
    this.#older = this.#recent;
    this.#recent = new Set();
    this.#characters = 0;
  }

  /** Takes everything secret out of the texts that answer one request with these values. */
  redactorFor(sentValues: readonly string[]): Redact {
    const own = redactor(sentValues);
    return (text) => {
      this.#earlier ??= redactor([...this.#older, ...this.#recent], EARLIER);
      return this.#earlier(own(this.#token(text)));
    };
  }
}
