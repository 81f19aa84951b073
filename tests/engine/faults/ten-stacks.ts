import type { Engine } from "../harness/suite";
import { yaml } from "../harness/languages";
import { set } from "../harness/program";
import type { Project } from "../harness/project";

/** How many stacks run at once, and what the service allows. */
export const STACKS = 10;
export const REQUESTS_PER_SECOND = 5;

const SIZE = 50;
const BATCH_SIZE = 20;
/** One read for conflicts, and 50 variables in batches of 20. */
export const LEAST_REQUESTS = STACKS * (1 + Math.ceil(SIZE / BATCH_SIZE));

/** What came of stacks that went up at once. */
export interface Crowd {
  readonly projects: readonly Project[];
  readonly environmentIds: readonly string[];
  /** Seconds from the start to the end of each `up`, in the order of the ends. */
  readonly seconds: readonly number[];
  /** Every request that reached the service, with those that it answered 429. */
  readonly requests: number;
  readonly refused: number;
}

/** The variables of the stack with this number. */
export function declaredBy(stack: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: SIZE }, (_, index) => [`NAME_${index}`, `${index} of ${stack}`]));
}

/** Makes ten stacks, each for an environment of its own, and brings all of them up at once. @throws when one fails. */
export async function bringUp(engine: Engine): Promise<Crowd> {
  const environmentIds = Array.from({ length: STACKS }, () => engine.environment());
  const projects: Project[] = [];
  for (const [index, environmentId] of environmentIds.entries()) {
    const project = await engine.project({
      language: yaml(),
      env: { PREVIEWENV_BATCH_SIZE: String(BATCH_SIZE) },
    });
    project.write({ resources: [set("vars", { environmentId, secrets: declaredBy(index) })] });
    projects.push(project);
  }
  const { journal } = engine.sandbox;
  const mark = journal.mark();
  const start = Date.now();
  const seconds: number[] = [];
  await Promise.all(
    projects.map(async (project) => {
      await project.up();
      seconds.push((Date.now() - start) / 1000);
    }),
  );
  const seen = journal.since(mark);
  const refused = seen.filter(({ status }) => status === 429).length;
  return { projects, environmentIds, seconds, requests: seen.length, refused };
}

/** The numbers, in one line. */
export function describeCrowd({ seconds, requests, refused }: Crowd): string {
  const [first = 0, last = 0] = [seconds.at(0), seconds.at(-1)];
  return (
    `${STACKS} stacks at ${REQUESTS_PER_SECOND} requests a second: ${requests} requests (${refused} answered 429), ` +
    `${LEAST_REQUESTS} at least; ends from ${first.toFixed(1)} s to ${last.toFixed(1)} s, ` +
    `${LEAST_REQUESTS / REQUESTS_PER_SECOND} s at least`
  );
}
