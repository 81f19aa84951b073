import type { HostName } from "./hosts";

/** What CI searches, and nothing else: a change that breaks a promise fails, and nothing fails by chance. */
export const budget = {
  seeds: [1, 2, 3, 4, 5, 6, 7, 8],
  historiesPerSeed: 250,
  hosts: ["core", "dynamic", "native"],
} as const satisfies {
  readonly seeds: readonly number[];
  readonly historiesPerSeed: number;
  readonly hosts: readonly HostName[];
};
