const REMINDER_MS = 60_000;

/** Says what the set-up is doing; silent as long as nothing has to be done. */
export class Progress {
  /**
   * @param {object} [options]
   * @param {{ write(text: string): unknown }} [options.stream] Default: stderr, so that a script's own output stays clean.
   * @param {number} [options.reminderMs] How often a long step says that it goes on; default: once a minute.
   */
  constructor({ stream = process.stderr, reminderMs = REMINDER_MS } = {}) {
    this.stream = stream;
    this.reminderMs = reminderMs;
  }

  /**
   * One line.
   * @param {string} text
   */
  say(text) {
    this.stream.write(`[setup] ${text}\n`);
  }

  /**
   * Runs a step that takes time: says so before, now and then, and after.
   * @template T
   * @param {string} title
   * @param {() => Promise<T>} work May give `{ reason }`: the step was not possible, and something else stands in for it.
   * @returns {Promise<T>}
   */
  async step(title, work) {
    const start = Date.now();
    const seconds = () => Math.round((Date.now() - start) / 1_000);
    this.say(`${title} ...`);
    const timer = setInterval(() => this.say(`${title}: still running after ${seconds()} s`), this.reminderMs);
    let how = "failed";
    try {
      const result = await work();
      how = typeof result === "object" && result !== null && "reason" in result ? "not possible" : "done";
      return result;
    } finally {
      clearInterval(timer);
      this.say(`${title.replace(/ \(.*$/, "")}: ${how} after ${seconds()} s`);
    }
  }
}
