import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { commands, type Contender, type Operation, secretsOf } from "./contenders";
import type { Project } from "../engine/harness/project";
import { type Cost, measure } from "./measure";
import { declare, projectOf } from "./project";
import { inSeconds } from "./report";

const OF_AN_ENVIRONMENT = 20;

/** What is to be measured. */
export interface Plan {
  readonly contenders: readonly Contender[];
  readonly sizes: readonly number[];
  /** How many times everything is measured. */
  readonly rounds: number;
  /** Whether a round before them warms caches up. */
  readonly isWarmedUp: boolean;
  readonly operations: readonly Operation[];
}

/** One run of the CLI. */
export interface Sample extends Cost {
  readonly size: number;
  readonly round: number;
  readonly contender: Contender;
  readonly operation: Operation;
  /** How many there were, by method. */
  readonly requests: Readonly<Record<string, number>>;
  /** Of the whole state in the backend's file, afterwards. */
  readonly stateBytes: number;
}

/** A contender's project, and the service for it alone. */
interface Running {
  readonly contender: Contender;
  readonly project: Project;
  readonly sandbox: Sandbox;
}

/** Runs the CLI for the lives of stacks, contender after contender for each operation, so that a noisy moment meets all of them. */
export async function measureLives(plan: Plan, signal: AbortSignal): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const size of plan.sizes) {
    await using opened = new AsyncDisposableStack();
    const running: Running[] = [];
    for (const contender of plan.contenders) {
      if (size >= (contender.tooLarge ?? Infinity)) continue;
      const sandbox = opened.use(await startService(contender, size));
      running.push({ contender, sandbox, project: opened.use(projectOf(contender, sandbox)) });
    }
    for (let round = plan.isWarmedUp ? 0 : 1; round <= plan.rounds; round++) {
      // What runs first finds the machine as the last one left it.
      const inOrder = round % 2 === 0 ? running : running.toReversed();
      const measured = await life(plan.operations, { size, round }, inOrder, signal);
      if (round > 0) samples.push(...measured);
    }
  }
  return samples;
}

function startService({ isFleet }: Contender, size: number): Promise<Sandbox> {
  const environments = Array.from({ length: isFleet ? size : 1 }, (_, index) => ({
    name: `pr-${index}`,
    projects: [{ repoName: "web", branch: `feature-${index}`, pullRequestNumber: index + 1 }],
  }));
  return startSandbox({ environments, buildSeconds: 0 });
}

/** A stack's life, from the first preview to destroy, of each contender. */
async function life(
  operations: readonly Operation[],
  { size, round }: Pick<Sample, "size" | "round">,
  running: readonly Running[],
  signal: AbortSignal,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const operation of operations)
    for (const { contender, project, sandbox } of running) {
      const [environmentId = ""] = sandbox.world.environments.list().map(({ id }) => id);
      const secrets = secretsOf(operation, contender.isFleet ? OF_AN_ENVIRONMENT : size);
      declare(project, { environmentId, names: Object.keys(secrets) }, secrets);
      sandbox.journal.clear();
      const cost = await measure(["pulumi", ...commands[operation], "--non-interactive"], project, signal);
      const requests: Record<string, number> = {};
      for (const { method } of sandbox.journal.entries) requests[method] = (requests[method] ?? 0) + 1;
      samples.push({ ...cost, size, round, contender, operation, requests, stateBytes: project.stateBytes });
      process.stderr.write(`${size}, round ${round}: ${operation}: ${contender.name} ${inSeconds(cost.cpuMs)}\n`);
    }
  return samples;
}
