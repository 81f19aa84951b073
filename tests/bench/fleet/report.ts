import { MS_PER_SECOND } from "../../../provider/src/client/clock";
import { growthTable } from "../growth";
import { inMiB, inSeconds, table } from "../markdown";
import { describeRequests } from "../requests";
import type { BuildsSample, FleetSample } from "./life";

/** What environments cost, and how that grows. */
export function fleetReport(samples: readonly FleetSample[]): string {
  const figures = table(
    ["program", "environments", "operation", "CPU", "wall", "memory of all processes", "requests"],
    samples.map(({ program, size, operation, cpuMs, wallMs, treeBytes, requests }) => [
      program,
      size,
      operation,
      inSeconds(cpuMs),
      inSeconds(wallMs),
      inMiB(treeBytes),
      describeRequests(requests),
    ]),
  );
  const points = samples.map(({ program: shape, operation, size, cpuMs }) => ({ shape, operation, size, cpuMs }));
  return `## Environments of 20 variables each\n\n${figures}\n\n${growthTable(points, "environment")}`;
}

/** What waiting for builds costs. */
export function buildsReport(samples: readonly BuildsSample[]): string {
  const figures = table(
    ["builds of 20 s", "--parallel", "wall", "CPU", "requests", "requests a second"],
    samples.map(({ builds, parallel, wallMs, cpuMs, requests }) => {
      const count = Object.values(requests).reduce((sum, one) => sum + one, 0);
      return [
        builds,
        parallel,
        inSeconds(wallMs),
        inSeconds(cpuMs),
        count,
        ((count / wallMs) * MS_PER_SECOND).toFixed(1),
      ];
    }),
  );
  return `## Builds\n\n${figures}`;
}
