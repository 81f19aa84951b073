const REMINDER_MS = 30_000;

/** Says what the set-up is doing. Silent as long as nothing has to be done. */
export class Progress {
  /**
   * @param {{ write(text: string): unknown }} stream Default: stderr, so that a script's own output stays clean.
   */
  constructor(stream = process.stderr) {
    this.stream = stream;
  }

  /**
   * One line.
   * @param {string} text
   */
  say(text) {
    this.stream.write(`[setup] ${text}\n`);
  }

  /**
   * Runs a step that takes time: says so before, every 30 s, and after.
   * @template T
   * @param {string} title
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async step(title, work) {
    const start = Date.now();
    const seconds = () => Math.round((Date.now() - start) / 1_000);
    this.say(`${title} ...`);
    const timer = setInterval(() => this.say(`${title}: still running after ${seconds()} s`), REMINDER_MS);
    let how = "not possible";
    try {
      const result = await work();
      how = "done";
      return result;
    } finally {
      clearInterval(timer);
      this.say(`${title.replace(/ \(.*$/, "")}: ${how} after ${seconds()} s`);
    }
  }
}
