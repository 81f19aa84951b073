import { type Redact, redactor, type Thresholds } from "./redact";

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
