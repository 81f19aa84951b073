import { join } from "node:path";
import { startSandbox, type Sandbox } from "../../provider/src/sandbox";
import { commands, type Contender, makeSecrets, type Operation, operations } from "./contenders";
import type { Plan } from "./plan";
import { ProjectFolder } from "./project-folder";
import { inSeconds, type Report } from "./report";
import { broken, trafficOf } from "./requests";
import { compare, type Sample } from "./results";
import { cpuTable, otherTables } from "./table";

const PLUGIN = { name: "previewenv", path: join(__dirname, "..", "..", "dist", "plugin") };

/** A contender's project, and its environment in the sandbox. */
interface Running {
  readonly contender: Contender;
  readonly folder: ProjectFolder;
  readonly environmentId: string;
}

interface Scenario {
  readonly size: number;
  readonly round: number;
}

/** Runs the CLI, contender after contender for each operation, so that a noisy moment meets all of them. */
export async function measureTable(plan: Plan, signal: AbortSignal): Promise<Report> {
  await using sandbox = await startSandbox();
  const running: Running[] = [];
  try {
    for (const contender of plan.contenders) {
      const project = contender === "native" ? { plugins: { providers: [PLUGIN] } } : {};
      const folder = await ProjectFolder.create({ program: contender, service: sandbox, project, signal });
      const projects = [{ repoName: "web", branch: "main" }];
      const { id: environmentId } = sandbox.world.environments.add({ name: contender, projects });
      running.push({ contender, folder, environmentId });
    }
    return reportOf(plan, await rounds(plan, running, sandbox));
  } finally {
    for (const { folder } of running) folder[Symbol.dispose]();
  }
}

async function rounds(plan: Plan, running: readonly Running[], sandbox: Sandbox): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const size of plan.sizes)
    // The first round warms caches up, and does not count.
    for (let round = plan.isQuick ? 1 : 0; round <= plan.pairs; round++) {
      // What runs first finds the machine as the last one left it.
      const ordered = round % 2 === 0 ? running : running.toReversed();
      const measured = await life(plan, { size, round }, ordered, sandbox);
      if (round > 0) samples.push(...measured);
    }
  return samples;
}

function reportOf(plan: Plan, samples: readonly Sample[]): Report {
  const comparisons = compare(samples);
  return {
    introduction:
      `Medians of ${plan.pairs} rounds; in each all contenders run in turn, and a ratio is the median of the ratios of ` +
      "single rounds.",
    sections: [["CPU of all processes", cpuTable(comparisons)], ...(plan.isQuick ? [] : otherTables(comparisons))],
    brokenPromises: samples
      .filter(({ contender }) => contender === "ours" || contender === "native")
      .flatMap(({ contender, operation, size, traffic }) =>
        broken(operation, size, traffic).map((problem) => `${contender}: ${operation}, N = ${size}: ${problem}`),
      ),
  };
}

/** A stack's life, from the first preview to destroy, of each contender. */
async function life(
  { isQuick }: Plan,
  scenario: Scenario,
  running: readonly Running[],
  { journal }: Sandbox,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const operation of operations) {
    // A change of one variable shows what a quick look can show.
    if (isQuick && operation === "change all") continue;
    const secrets = secretsOf(operation, scenario.size);
    const cpu: string[] = [];
    for (const { contender, folder, environmentId } of running) {
      folder.declare({ environmentId, names: Object.keys(secrets) }, secrets);
      journal.clear();
      const cost = await folder.run(commands[operation]);
      const traffic = trafficOf(journal);
      samples.push({ ...scenario, contender, operation, cost, traffic, stateBytes: folder.stateBytes });
      cpu.push(`${contender} ${inSeconds(cost.cpuMs)}`);
    }
    const { size, round } = scenario;
    process.stderr.write(`N = ${size}, round ${round}: ${operation}: ${cpu.join(", ")}\n`);
  }
  return samples;
}

/** What is declared in an operation: the changes stay until the stack is destroyed. */
function secretsOf(operation: Operation, size: number): Readonly<Record<string, string>> {
  if (operation === "change 1") return makeSecrets(size, 1, 1);
  return operation === "change all" || operation === "destroy" ? makeSecrets(size, size, 2) : makeSecrets(size, 0, 0);
}
