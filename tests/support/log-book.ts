/** What the provider told the person who runs Pulumi. */
export interface LogLine {
  readonly severity: "info" | "warning";
  readonly text: string;
  /** A line of progress that is not kept. */
  readonly passing: boolean;
  /** The row on which it is shown, "" for the stack's. Not set where there is no engine. */
  readonly urn?: string;
}

/** Lines in the order they came. From another process they come some time after the call that caused them. */
export class LogBook {
  readonly lines: LogLine[] = [];
  readonly #waiting = new Set<() => void>();

  add(line: LogLine): void {
    this.lines.push(line);
    for (const look of this.#waiting) look();
  }

  /** Resolves with the first line that matches, on a row or on any, now or later. */
  until(pattern: RegExp, row?: string): Promise<LogLine> {
    return new Promise((resolve) => {
      const look = (): void => {
        const line = this.lines.find(({ text, urn }) => pattern.test(text) && (row === undefined || urn === row));
        if (line === undefined) return;
        this.#waiting.delete(look);
        resolve(line);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
