import * as z from "zod";

const journal = z.object({ entries: z.array(z.object({ sequence: z.number(), label: z.string() })) });

/** The sandbox that a guide has started, seen from outside. */
export class Service {
  readonly url: string;
  #seen = 0;

  constructor(url: string) {
    this.url = url;
  }

  /** The requests since the last call that are no reads: each kind once, sorted. */
  async writes(): Promise<readonly string[]> {
    const answer = await fetch(new URL("/__sandbox/journal", this.url));
    const { entries } = journal.parse(await answer.json());
    const fresh = entries.filter(({ sequence }) => sequence > this.#seen);
    this.#seen = Math.max(this.#seen, ...fresh.map(({ sequence }) => sequence));
    const labels = fresh.map(({ label }) => label).filter((label) => !label.startsWith("GET "));
    return [...new Set(labels)].toSorted();
  }
}
