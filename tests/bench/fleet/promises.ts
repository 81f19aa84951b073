import type { FleetOperation, FleetSample } from "./life";

/** Requests of each kind for every environment; lists of environments and the looks of a preview are counted apart. */
const PROMISED: Readonly<Record<FleetOperation, Readonly<Record<string, number>>>> = {
  "preview of all": {},
  "create all": { "GET /env-vars": 1, "PUT /env-vars": 1 },
  "no change": {},
  refresh: { "GET /env-vars": 1 },
  "change all": { "PUT /env-vars": 1 },
};

const LIST = "GET /environments";
const LOOK = "GET /env-vars";

/** How many of the requests only list environments. */
export function listsOf({ requests }: FleetSample): number {
  return requests[LIST] ?? 0;
}

/** How many looks a preview made. */
export function looksOf({ operation, requests }: FleetSample): number {
  return operation === "preview of all" ? (requests[LOOK] ?? 0) : 0;
}

/** How the requests differ from what is promised; empty when they do not. */
export function brokenPromises(samples: readonly FleetSample[]): readonly string[] {
  return samples.flatMap((sample) => {
    const { operation, size, checkpoints, requests } = sample;
    const where = `${operation}, ${size} environments, ${checkpoints} checkpoints`;
    const looks = looksOf(sample);
    const tooMany = looks > size ? [`${where}: ${looks} looks, ${size} promised`] : [];
    const labels = new Set([...Object.keys(requests), ...Object.keys(PROMISED[operation])]);
    labels.delete(LIST);
    if (operation === "preview of all") labels.delete(LOOK);
    return [...labels].reduce<readonly string[]>((problems, label) => {
      const [sent, promised] = [requests[label] ?? 0, (PROMISED[operation][label] ?? 0) * size];
      return sent === promised ? problems : [...problems, `${where}: ${sent} ${label}, ${promised} promised`];
    }, tooMany);
  });
}
