import { PieceIndex } from "./piece-index";
import { formsOf, type Reading, readingsOf } from "./readings";

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

/** A shorter value may be part of any other text by chance. */
export const MIN_PLAIN_LENGTH = 4;
/** For values of the request that is answered: its texts are the most likely to repeat them. */
const OWN: Thresholds = { plainLength: MIN_PLAIN_LENGTH, fragmentLength: 8 };
/** Values of earlier requests are searched for only when they are too long to be an ordinary word or a piece of one. */
const EARLIER: Thresholds = { plainLength: 8, fragmentLength: 16 };
const QUOTES: readonly string[] = ['""', "''", "``", "“”", "‘’", "«»"];
/** Of more characters no pieces are kept: then no text is shown at all. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Values that are looked for in texts. The work for a text depends on its length, not on how many values there are. A value is cut into pieces
 * once, when a text is to be shown: most runs show none.
 */
class SoughtValues {
  readonly #thresholds: Thresholds;
  /** Short values whole, long ones by all their pieces of one length. */
  readonly #pieces = new PieceIndex();
  #uncut: string[] = [];
  #characters = 0;

  constructor(thresholds: Thresholds, values: readonly string[] = []) {
    this.#thresholds = thresholds;
    for (const value of values) this.add(value);
  }

  add(value: string): void {
    this.#characters += value.length;
    this.#uncut.push(value);
  }

  get isTooMuch(): boolean {
    return this.#characters > MAX_CHARACTERS;
  }

  /** Calls `found` with the place of each piece of a value. */
  find({ text, from, to }: Reading, found: (start: number, end: number) => void): void {
    const { plainLength, fragmentLength } = this.#thresholds;
    for (const form of this.#uncut.flatMap(formsOf)) this.#pieces.add(form, Math.min(form.length, fragmentLength));
    this.#uncut = [];
    this.#pieces.find(text, (at, length) => {
      if (length >= plainLength || QUOTES.includes(text.charAt(at - 1) + text.charAt(at + length)))
        found(from[at] ?? 0, to[at + length - 1] ?? 0);
    });
  }
}

/**
 * Values that no text of the service may show: the token, the values of the request that is answered, and hidden values that
 * this process sent before. They are kept in memory only. Once they have more than 1 Mi characters, no text is shown any more.
 */
export class SentValues {
  readonly #apiToken: string;
  readonly #remembered = new Set<string>();
  readonly #earlier = new SoughtValues(EARLIER);

  constructor(apiToken: string) {
    this.#apiToken = apiToken;
  }

  /** Notes hidden values that are sent now. */
  remember(values: readonly string[]): void {
    for (const value of values) {
      if (value.length < EARLIER.plainLength || this.#earlier.isTooMuch || this.#remembered.has(value)) continue;
      this.#remembered.add(value);
      this.#earlier.add(value);
    }
  }

  /** Takes everything secret out of the texts that answer one request with these values. */
  redactorFor(sentValues: readonly string[]): Redact {
    const own = new SoughtValues(OWN, [this.#apiToken, ...sentValues]);
    return (text) => {
      if (text === "") return text;
      return own.isTooMuch || this.#earlier.isTooMuch ? REDACTED : without(text, [own, this.#earlier]);
    };
  }
}

/** Takes values out of our own texts, as if they were answers to a request with these values. */
export class OwnTexts {
  readonly #sought = new SoughtValues(OWN);

  add(value: string): void {
    this.#sought.add(value);
  }

  redact(text: string): string {
    return this.#sought.isTooMuch ? REDACTED : without(text, [this.#sought]);
  }
}

function without(text: string, all: readonly SoughtValues[]): string {
  /** For each place of the text, how far a value that begins there reaches. */
  const ends = new Map<number, number>();
  const note = (start: number, end: number): void => void ends.set(start, Math.max(end, ends.get(start) ?? 0));
  for (const reading of readingsOf(text)) for (const values of all) values.find(reading, note);
  let shown = "";
  let secretUntil = 0;
  for (let at = 0; at < text.length; at++) {
    const isFirst = at >= secretUntil;
    secretUntil = Math.max(secretUntil, ends.get(at) ?? 0);
    if (at >= secretUntil) shown += text.charAt(at);
    else if (isFirst) shown += REDACTED;
  }
  return shown;
}
