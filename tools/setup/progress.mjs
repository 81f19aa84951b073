/**
 * @typedef {object} ProgressOptions
 * @property {{ write(text: string): unknown, isTTY?: boolean }} [stream] Default: stderr, so that a script's own output stays clean.
 * @property {number} [reminderMs] How often a long step says that it goes on; default 1 s on a terminal, 15 s elsewhere.
 */

const TICK_MS = 1_000;
const REMINDER_MS = 15_000;
const CLEAR_LINE = "\r\u001b[2K";

/** Says what the set-up is doing; silent as long as nothing has to be done. */
export class Progress {
  /** @param {ProgressOptions} options */
  constructor(options = {}) {
    this.stream = options.stream ?? process.stderr;
    this.live = this.stream.isTTY === true;
    this.reminderMs = options.reminderMs ?? (this.live ? TICK_MS : REMINDER_MS);
    this.ticking = false;
  }

  /**
   * One line.
   * @param {string} text
   */
  say(text) {
    this.stream.write(`${this.ticking ? CLEAR_LINE : ""}[setup] ${text}\n`);
  }

  /**
   * What `withLock` is to do while another set-up is at the same step.
   * @param {string} title
   */
  waiting(title) {
    return (/** @type {number | undefined} */ pid) =>
      this.say(`${title}: waiting for another set-up (process ${pid ?? "unknown"}) that does the same ...`);
  }

  /**
   * Runs a step that takes time: says so before, now and then, and after.
   * @template T
   * @param {string} title
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async step(title, work) {
    const start = Date.now();
    const seconds = () => Math.round((Date.now() - start) / 1_000);
    this.say(`${title} ...`);
    const timer = setInterval(() => this.#remind(title, seconds()), this.reminderMs);
    const end = (/** @type {string} */ how) => {
      clearInterval(timer);
      this.say(`${title.replace(/ \(.*$/, "")}: ${how} after ${seconds()} s`);
      this.ticking = false;
    };
    try {
      const result = await work();
      end(isRefusal(result) ? "not possible" : "done");
      return result;
    } catch (error) {
      end("failed");
      throw error;
    }
  }

  /**
   * @param {string} title
   * @param {number} seconds
   */
  #remind(title, seconds) {
    if (!this.live) return this.say(`${title}: still running after ${seconds} s`);
    this.ticking = true;
    this.stream.write(`${CLEAR_LINE}[setup] ${title}: ${seconds} s`);
  }
}

/**
 * A step may have a stand-in, and then gives the reason why it is needed.
 * @param {unknown} result
 */
function isRefusal(result) {
  return typeof result === "object" && result !== null && "reason" in result;
}
