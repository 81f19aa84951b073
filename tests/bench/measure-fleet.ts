import { startSandbox, type Sandbox } from "../../provider/src/sandbox";
import { makeSecrets } from "./contenders";
import type { Cost } from "./measure";
import type { Plan } from "./plan";
import { ProjectFolder } from "./project-folder";
import { countBy, describeRequests, inMiB, inSeconds, type Report, table } from "./report";

/** `checkpoints`: an EnvVarSet for each environment. `sets`: the same with PULUMI_SKIP_CHECKPOINTS. `component`: so with PreviewEnvironments. */
const PROGRAMS = ["checkpoints", "sets", "component"] as const;
/** From here on only `sets` is measured: with checkpoints the cost grows with the square of the number of environments. */
const LARGE = 400;
const REPOSITORY = "web";
/** Variables of each environment, and as many secrets. */
const HALF = 10;
const BUILDS = 30;
const BUILD_SECONDS = 20;
const PARALLEL = [8, 16, 32];
const UP = ["up", "--yes", "--skip-preview"];

/** What is measured, in the order of a stack's life. The generation is that of the values which the program declares. */
const LIFE = [
  { operation: "preview of all", command: ["preview"], generation: 0 },
  { operation: "create all", command: UP, generation: 0 },
  { operation: "no change", command: UP, generation: 0 },
  { operation: "refresh", command: ["refresh", "--yes", "--skip-preview"], generation: 0 },
  { operation: "change all", command: UP, generation: 1 },
] as const;

/** What one operation with that many environments cost. */
interface FleetSample extends Cost {
  readonly size: number;
  readonly program: (typeof PROGRAMS)[number];
  readonly operation: (typeof LIFE)[number]["operation"];
  /** How many requests of each kind: "PUT /env-vars". */
  readonly requests: Readonly<Record<string, number>>;
}

/** Measures what many environments, and many builds, in one program cost. */
export async function measureFleet({ sizes }: Plan, signal: AbortSignal): Promise<Report> {
  const samples: FleetSample[] = [];
  for (const program of PROGRAMS)
    for (const size of sizes)
      if (size < LARGE || program === "sets") samples.push(...(await life(size, program, signal)));
  const builds: (readonly [parallel: number, cost: Cost])[] = [];
  for (const parallel of PARALLEL) builds.push([parallel, await buildAll(parallel, signal)]);
  return {
    introduction: "One run of each.",
    sections: [
      ["Environments of 20 variables each", fleetTable(samples)],
      [
        `${BUILDS} builds of ${BUILD_SECONDS} s`,
        table(
          ["--parallel", "wall", "CPU"],
          builds.map(([parallel, { wallMs, cpuMs }]) => [parallel, inSeconds(wallMs), inSeconds(cpuMs)]),
        ),
      ],
    ],
  };
}

/** The life of a stack that has all environments of a repository. */
async function life(
  size: number,
  program: FleetSample["program"],
  signal: AbortSignal,
): Promise<readonly FleetSample[]> {
  await using sandbox = await startFleet(size);
  using folder = await fleetFolder(sandbox, program !== "checkpoints", signal);
  const samples: FleetSample[] = [];
  for (const { operation, command, generation } of LIFE) {
    const all = Object.entries(makeSecrets(2 * HALF, 2 * HALF, generation));
    const [variables, secrets] = [Object.fromEntries(all.slice(0, HALF)), Object.fromEntries(all.slice(HALF))];
    folder.declare({ repoName: REPOSITORY, isComponent: program === "component", variables, secrets });
    sandbox.journal.clear();
    const cost = await folder.run(command);
    const requests = countBy(sandbox.journal.entries, ({ label }) => label);
    samples.push({ ...cost, size, program, operation, requests });
    process.stderr.write(`${program}, ${size} environments: ${operation}: ${inSeconds(cost.cpuMs)}\n`);
  }
  return samples;
}

/** One `up` in which each environment gets another branch, and its build is waited for. */
async function buildAll(parallel: number, signal: AbortSignal): Promise<Cost> {
  await using sandbox = await startFleet(BUILDS, BUILD_SECONDS);
  using folder = await fleetFolder(sandbox, true, signal);
  folder.declare({ repoName: REPOSITORY, branch: "release" });
  const cost = await folder.run([...UP, "--parallel", String(parallel)]);
  process.stderr.write(`${BUILDS} builds, --parallel ${parallel}: ${inSeconds(cost.wallMs)}\n`);
  return cost;
}

function startFleet(size: number, buildSeconds = 0): Promise<Sandbox> {
  const environments = Array.from({ length: size }, (_, index) => ({
    name: `pr-${index}`,
    projects: [{ repoName: REPOSITORY, branch: `feature-${index}`, pullRequestNumber: index + 1 }],
  }));
  return startSandbox({ environments, buildSeconds });
}

function fleetFolder(service: Sandbox, skipCheckpoints: boolean, signal: AbortSignal): Promise<ProjectFolder> {
  const project = { runtime: { name: "nodejs", options: { typescript: false } } };
  return ProjectFolder.create({ program: "fleet", service, project, skipCheckpoints, signal });
}

/** What environments cost, and what each further one does: a figure that stays the same says that the cost does not grow faster than their number. */
function fleetTable(samples: readonly FleetSample[]): string {
  return table(
    [
      "program",
      "environments",
      "operation",
      "CPU",
      "for each further one",
      "wall",
      "memory of all processes",
      "requests",
    ],
    samples.map(({ program, size, operation, cpuMs, wallMs, treeBytes, requests }) => {
      const smaller = samples.findLast(
        (one) => one.program === program && one.operation === operation && one.size < size,
      );
      return [
        program,
        size,
        operation,
        inSeconds(cpuMs),
        smaller === undefined ? "" : `${((cpuMs - smaller.cpuMs) / (size - smaller.size)).toFixed(2)} ms`,
        inSeconds(wallMs),
        inMiB(treeBytes),
        describeRequests(requests),
      ];
    }),
  );
}
