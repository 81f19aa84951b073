import * as fc from "fast-check";
import type { Foreign } from "../foreign";
import type { HistoryStep } from "../history";
import { REPOSITORIES } from "../service";
import { branch, environment, name, NAMES, number, services } from "./edits";

/** Names that only others use. */
const STRANGERS = ["HAND_MADE", "KEPT_SECRET", "OTHER", "", "..", "half \ud83c", "a/b\n", "e\u0301"] as const;

/** A value of others. Behind a mask, one that is alike cannot be told from a declared one. */
export function hiddenValue(index: number, isAlike: boolean): string {
  return isAlike ? `sk-${index}-somebody-else-${index}-9x` : `zz-${index}-by-somebody-else-zz`;
}

/** Others have a variable that no program declares. */
export const stranger = fc.constantFrom(...STRANGERS).map((one): HistoryStep => ({
  do: "foreign",
  act: { act: "set", on: 0, name: one, value: "hand-made", hidden: false, services: [] },
}));

/** Others give a hidden variable a value that cannot be told from a declared one. */
export function retouched(one: string, index: number): HistoryStep {
  const value = hiddenValue(index, true);
  return { do: "foreign", act: { act: "set", on: 0, name: one, value, hidden: true, services: [] } };
}

/** What others do. */
export const foreign: fc.Arbitrary<Foreign> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("show" as const), on: environment, name, hidden: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("scope" as const), on: environment, name, services }),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        on: environment,
        name: fc.constantFrom(...NAMES, ...STRANGERS),
        hidden: fc.boolean(),
        services,
        index: number,
        isAlike: fc.boolean(),
      })
      .map(({ index, isAlike, ...rest }) => ({
        act: "set" as const,
        ...rest,
        value: rest.hidden ? hiddenValue(index, isAlike) : `hand ${index}`,
      })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("delete" as const),
      on: environment,
      name: fc.constantFrom(...NAMES, ...STRANGERS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("branch" as const),
      on: environment,
      repo: fc.constantFrom(...REPOSITORIES),
      branch: branch,
      // Without a build, one in flight would deploy something else in the end.
      build: fc.constant(true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("commit" as const),
      on: environment,
      repo: fc.constantFrom(...REPOSITORIES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("flags" as const),
      on: environment,
      flags: fc.constantFrom(
        { deleted: true },
        { deleted: false },
        { stopped: true },
        { retired: true },
        { stopped: false, retired: false },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("failNextBuild" as const), on: environment }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("revokeToken" as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("grantToken" as const) }) },
);
