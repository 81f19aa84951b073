import { type Redact, redactor, type Thresholds } from "./redact";

/** Of what earlier requests sent, only what is long enough not to be an ordinary word, or a piece of ordinary text. */
const EARLIER: Thresholds = { plainLength: 8, fragmentLength: 16 };
/** When this many characters are kept, the older half is on its way out. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * What no text of the service may show: the token, the values of the request that it answers, and hidden values that this
 * process sent before. Of these it keeps the last ones, one to two million characters, in memory only.
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

  /** Notes hidden values that go to the service now. */
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
