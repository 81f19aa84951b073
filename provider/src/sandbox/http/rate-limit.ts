import type { Clock } from "../domain/clock";
import { MS_PER_SECOND } from "../domain/timestamps";
import { HttpError } from "./router";

const RETRY_AFTER_SECONDS = "1";

/** Counts requests in each second of the clock. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number | undefined;
  #second = 0;
  #count = 0;

  constructor(clock: Clock, perSecond: number | undefined) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Throws a 429 when this second is used up. */
  admit(): void {
    const second = Math.floor(this.#clock.now() / MS_PER_SECOND);
    if (second !== this.#second) this.#count = 0;
    this.#second = second;
    this.#count += 1;
    if (this.#perSecond !== undefined && this.#count > this.#perSecond) {
      throw new HttpError(429, "Too many requests", { "retry-after": RETRY_AFTER_SECONDS });
    }
  }
}
