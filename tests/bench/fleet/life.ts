import { join } from "node:path";
import { loadVariables } from "../load/variables";
import type { Cost } from "../measure";
import { ProjectFolder } from "../project-folder";
import type { FleetProgram } from "./plan";
import { FleetService, REPOSITORY } from "./service";

/** Variables of each environment; half of them are secret. */
const VARIABLES = 20;
const BUILD_SECONDS = 20;
const UP = ["up", "--yes", "--skip-preview"];
const PROGRAM = join(__dirname, "program.js");

/** What is measured, in the order of a stack's life; the generation is that of the values which the program declares. */
const LIFE = [
  { operation: "preview of all", command: ["preview"], generation: 0 },
  { operation: "create all", command: UP, generation: 0 },
  { operation: "no change", command: UP, generation: 0 },
  { operation: "refresh", command: ["refresh", "--yes", "--skip-preview"], generation: 0 },
  { operation: "change all", command: UP, generation: 1 },
] as const;

/** One operation of a stack with environments. */
export type FleetOperation = (typeof LIFE)[number]["operation"];

/** What one operation with that many environments cost. */
export interface FleetSample extends Cost {
  readonly size: number;
  readonly program: FleetProgram;
  readonly operation: FleetOperation;
  /** How many requests of each kind: "PUT /env-vars". */
  readonly requests: Readonly<Record<string, number>>;
}

/** What it cost to wait for builds. */
export interface BuildsSample extends Cost {
  readonly builds: number;
  readonly parallel: number;
  readonly requests: Readonly<Record<string, number>>;
}

/** The life of a stack that has all environments of a repository. */
export async function measureFleet(
  size: number,
  program: FleetProgram,
  signal: AbortSignal,
): Promise<readonly FleetSample[]> {
  await using service = await FleetService.start(size);
  const skipCheckpoints = program !== "checkpoints";
  using folder = await ProjectFolder.create({ program: PROGRAM, env: service.env, skipCheckpoints, signal });
  const samples: FleetSample[] = [];
  for (const { operation, command, generation } of LIFE) {
    const isComponent = program === "component";
    folder.declare({ repoName: REPOSITORY, isComponent, ...loadVariables(VARIABLES, generation) });
    const cost = await folder.run(command);
    samples.push({ ...cost, size, program, operation, requests: service.requests() });
  }
  return samples;
}

/** One `up` in which each environment gets another branch, and its build is waited for. */
export async function measureBuilds(builds: number, parallel: number, signal: AbortSignal): Promise<BuildsSample> {
  await using service = await FleetService.start(builds, BUILD_SECONDS);
  using folder = await ProjectFolder.create({ program: PROGRAM, env: service.env, skipCheckpoints: true, signal });
  folder.declare({ repoName: REPOSITORY, branch: "release" });
  const cost = await folder.run([...UP, "--parallel", String(parallel)]);
  return { ...cost, builds, parallel, requests: service.requests() };
}
