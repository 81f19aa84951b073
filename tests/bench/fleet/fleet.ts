import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { inSeconds } from "../markdown";
import { type BuildsSample, type FleetSample, measureBuilds, measureFleet } from "./life";
import { FLEET_HELP, type FleetPlan, readFleetPlan } from "./plan";
import { brokenPromises } from "./promises";
import { buildsReport, fleetReport } from "./report";

/** Measures what many environments and builds in one program cost, and prints it; gives the exit code. */
export async function measureFleets(args: readonly string[], signal: AbortSignal): Promise<number> {
  const plan = readFleetPlan(args);
  if (plan === undefined) {
    process.stdout.write(FLEET_HELP);
    return 0;
  }
  const fleets = await measureSizes(plan, signal);
  const builds = await measureParallel(plan, signal);
  if (plan.json !== undefined) writeFileSync(plan.json, JSON.stringify({ fleets, builds }));
  const problems = brokenPromises(fleets);
  const sections = [
    `Node ${process.version}, ${process.platform}, ${availableParallelism()} cores. One run of each.`,
    fleetReport(fleets),
    ...(builds.length === 0 ? [] : [buildsReport(builds)]),
    problems.length === 0 ? "Request counts: as promised." : `Request counts:\n${problems.join("\n")}`,
  ];
  process.stdout.write(`${sections.join("\n\n")}\n`);
  return problems.length === 0 ? 0 : 1;
}

async function measureSizes(plan: FleetPlan, signal: AbortSignal): Promise<readonly FleetSample[]> {
  const samples: FleetSample[] = [];
  for (const program of plan.programs)
    for (const size of plan.sizes)
      samples.push(...(await timed(`${program}, ${size} environments`, () => measureFleet(size, program, signal))));
  return samples;
}

async function measureParallel(plan: FleetPlan, signal: AbortSignal): Promise<readonly BuildsSample[]> {
  const samples: BuildsSample[] = [];
  if (plan.builds === 0) return samples;
  for (const parallel of plan.parallel)
    samples.push(
      await timed(`${plan.builds} builds, --parallel ${parallel}`, () => measureBuilds(plan.builds, parallel, signal)),
    );
  return samples;
}

async function timed<T>(what: string, act: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await act();
  process.stderr.write(`${what}: ${inSeconds(performance.now() - started)}\n`);
  return result;
}
