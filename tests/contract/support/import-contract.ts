import { contract, type Scenario } from "../../support/stage";

/** Variables of an environment that nobody has declared yet. */
export const LIVE = [
  { name: "LOG_LEVEL", value: "debug", hidden: false },
  { name: "EMPTY", value: "", hidden: false },
  { name: "TOKEN", value: "s3cr3t-token-abcdef", hidden: true },
  { name: "DATABASE_URL", value: "postgres://user:pass@db/shop", hidden: true },
];

/** Only the native plugin can import: docs/guides/hosts.md. */
export function importContract(topic: string, scenarios: readonly Scenario[]): void {
  contract(
    `import, ${topic}`,
    scenarios.map((scenario): Scenario => ({ ...scenario, difference: { row: "import", side: "native" } })),
  );
}
