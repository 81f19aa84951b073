import { budget } from "../budget";
import { search } from "../search";

/** Searches with the budget of CI, and prints what was found, as JSON. */
async function probe(): Promise<void> {
  let histories = 0;
  for (const seed of budget.seeds) {
    const found = await search({ seed, histories: budget.historiesPerSeed, hosts: budget.hosts, shrinks: false });
    histories += found.histories;
    const { counterexample } = found;
    if (counterexample === undefined) continue;
    const { invariant, message } = counterexample.violation;
    process.stdout.write(JSON.stringify({ histories, invariant, message }));
    return;
  }
  process.stdout.write(JSON.stringify({ histories }));
}

void probe();
