import type { History } from "../history";

/** A history that once broke a promise. */
export interface Found {
  readonly title: string;
  readonly history: History;
}

/** What most of the histories have in common. */
export const usual = {
  seed: 0,
  host: "core",
  choices: {},
  settings: { batchSize: 100, maxRetries: 4, maxConcurrency: 8 },
} as const;
