import type { HostName } from "./hosts";

/** What CI searches, and nothing else: a change that breaks a promise fails, and nothing fails by chance. */
export const budget = {
  /** With `npm test`. */
  seeds: [1, 2, 3, 4],
  /** With `npm run test:outside`. */
  moreSeeds: [5, 6, 7, 8],
  historiesPerSeed: 250,
  hosts: ["core", "dynamic", "native"],
} as const satisfies {
  readonly seeds: readonly number[];
  readonly moreSeeds: readonly number[];
  readonly historiesPerSeed: number;
  readonly hosts: readonly HostName[];
};
