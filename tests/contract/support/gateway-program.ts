import { expect } from "chai";
import { branches, set, type Stage } from "../../support/stage";

/** The text of the error for an undocumented 404 answer. */
export const FOREIGN_TEXT = /the answer is 404, but not the documented one .+ check previewenv:baseUrl/u;

/** A program with a resource of each type that reads something. */
export function every(environmentId: string) {
  const one = { environmentId, name: "ONE", value: "1", hidden: false };
  return {
    ...set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b-1234" } }),
    one: { type: "EnvVar", inputs: one },
    ...branches(environmentId, { branches: { web: "main" }, onDestroy: "restore" }),
    power: { type: "EnvironmentState", inputs: { environmentId, state: "running" } },
  } as const;
}

/** Everything is deployed. */
export async function start({ engine, environmentId }: Stage): Promise<void> {
  await engine.up(every(environmentId));
}

/** Nothing is missing, on the service or in state: an `up` has nothing to do. */
export async function holdsAll({ engine, environmentId, values }: Stage): Promise<void> {
  expect(values()).to.deep.equal({ A: "1", B: "secret-b-1234", ONE: "1" });
  expect(Object.values((await engine.up(every(environmentId))).operations)).to.deep.equal(Array(4).fill("same"));
}
