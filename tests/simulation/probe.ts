import { budget, search } from "./search";
import { hearOnly, isInvariant } from "./violation";

/** Searches with the budget of CI for what breaks the promise that is named on the command line. Prints JSON. */
async function probe(invariant: string): Promise<void> {
  if (!isInvariant(invariant)) throw new Error(`there is no promise called ${invariant}`);
  hearOnly(invariant);
  let histories = 0;
  for (const seed of [...budget.seeds, ...budget.moreSeeds]) {
    const found = await search({ seed, histories: budget.historiesPerSeed, hosts: budget.hosts, isBroken: true });
    histories += found.histories;
    const { counterexample } = found;
    if (counterexample === undefined) continue;
    process.stdout.write(JSON.stringify({ histories, message: counterexample.violation.message }));
    return;
  }
  process.stdout.write(JSON.stringify({ histories }));
}

void probe(process.argv[2] ?? "");
