import { parseArgs } from "node:util";
import { budgetForBugs, search } from "./search";
import { hearOnly, isInvariant } from "./violation";

const BATCH = 100;
const MS_PER_MINUTE = 60_000;
const DEFAULT_MINUTES = "5";

const JOURNAL_LINES = 60;
const MAX_LINE = 400;

const HELP = `Plays seeded histories of programs, people and faults until one breaks a promise.

Usage: npm run simulate -- [options]

  --minutes N         how long the search goes on (default ${DEFAULT_MINUTES})
  --seed N            where it begins; the same seed plays the same histories (default: another one each time)
  --promise NAME      searches for what breaks this promise alone, as npm run bugs does, and prints JSON
  --help              this text
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: DEFAULT_MINUTES },
      seed: { type: "string", default: String(Date.now() % 2 ** 31) },
      promise: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    print(HELP.trimEnd());
    return 0;
  }
  if (values.promise !== undefined) return probe(values.promise);
  const untilMs = Date.now() + Number(values.minutes) * MS_PER_MINUTE;
  let histories = 0;
  let requests = 0;
  for (let seed = Number(values.seed); Date.now() < untilMs; seed += 1) {
    const found = await search({ seed, histories: BATCH });
    histories += found.histories;
    requests += found.requests;
    const { counterexample } = found;
    if (counterexample !== undefined) {
      const { history, violation, journal } = counterexample;
      const lines = journal.slice(-JOURNAL_LINES).map((line) => line.slice(0, MAX_LINE));
      print(`After ${histories} histories, seed ${seed}:`, violation.message, "", "How it went:", ...lines);
      print("", "As a history of tests/simulation/found.ts:", JSON.stringify(history));
      return 1;
    }
    print(`seed ${seed}: ${histories} histories, ${requests} requests, nothing found`);
  }
  return 0;
}

/** What breaks one promise while the sources are broken on purpose (tests/bugs). */
async function probe(invariant: string): Promise<number> {
  if (!isInvariant(invariant)) throw new Error(`there is no promise called ${invariant}`);
  hearOnly(invariant);
  let histories = 0;
  let message: string | undefined;
  for (const seed of budgetForBugs.seeds) {
    const found = await search({ seed, histories: budgetForBugs.historiesPerSeed, isBroken: true });
    histories += found.histories;
    message = found.counterexample?.violation.message;
    if (message !== undefined) break;
  }
  print(JSON.stringify({ histories, message }));
  return 0;
}

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

void main().then((code) => (process.exitCode = code));
