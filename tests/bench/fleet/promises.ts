import type { FleetOperation, FleetSample } from "./life";

type Counts = Readonly<Record<string, number>>;

const LIST = "GET /environments";
const READ = "GET /env-vars";
const ENVIRONMENT = "GET /environment";
const WRITE = "PUT /env-vars";
/** How often a build is looked at depends on how long it takes. */
const BUILD: readonly string[] = [ENVIRONMENT, "GET /build-history"];
/** What a preview may read of each environment, each once at most. */
const LOOKS: Readonly<Record<FleetSample["program"], readonly string[]>> = {
  checkpoints: [READ],
  sets: [READ],
  component: [READ, ENVIRONMENT],
};

/** Requests of each kind for every environment; lists of environments and the looks of a preview are counted apart. */
const PROMISED: Readonly<Record<FleetOperation, Counts>> = {
  "preview of all": {},
  "create all": { [READ]: 1, [WRITE]: 1 },
  "no change": {},
  refresh: { [READ]: 1 },
  "change all": { [WRITE]: 1 },
};

/** The same with an EnvironmentBranches for every environment. */
const PROMISED_OF_COMPONENT: Readonly<Record<FleetOperation, Counts>> = {
  "preview of all": {},
  "create all": { [READ]: 1, [WRITE]: 1, "POST /rebuild": 1 },
  "no change": {},
  refresh: { [READ]: 1, [ENVIRONMENT]: 1 },
  "change all": { [WRITE]: 1, "POST /rebuild": 1 },
};

/** How the requests differ from what is promised; empty when they do not. */
export function brokenPromises(samples: readonly FleetSample[]): readonly string[] {
  return samples.flatMap((sample) => {
    const { program, operation, size, requests } = sample;
    const looks = operation === "preview of all" ? LOOKS[program] : [];
    const promised = (program === "component" ? PROMISED_OF_COMPONENT : PROMISED)[operation];
    const isApart = (label: string): boolean =>
      label === LIST || looks.includes(label) || (promised["POST /rebuild"] === 1 && BUILD.includes(label));
    const labels = new Set([...Object.keys(requests), ...Object.keys(promised)]);
    const problems = [...labels]
      .filter((label) => !isApart(label) && (requests[label] ?? 0) !== (promised[label] ?? 0) * size)
      .map((label) => `${requests[label] ?? 0} ${label}, ${(promised[label] ?? 0) * size} promised`);
    const tooMany = looks
      .filter((label) => (requests[label] ?? 0) > size)
      .map((label) => `${requests[label] ?? 0} looks by ${label}, ${size} promised`);
    return [...problems, ...tooMany].map((problem) => `${program}, ${size} environments, ${operation}: ${problem}`);
  });
}
