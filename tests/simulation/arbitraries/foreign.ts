import * as fc from "fast-check";
import type { Foreign } from "../foreign";
import { REPOSITORIES } from "../service";
import { branch, environment, name, NAMES, number, services, weighted } from "./edits";

/** Names that only others use. */
export const STRANGERS = ["HAND_MADE", "KEPT_SECRET", "OTHER", "", "..", "half \ud83c", "a/b\n", "e\u0301"] as const;

/** A value of others. Behind a mask, one that is alike cannot be told from a declared one. */
export function hiddenValue(index: number, isAlike: boolean): string {
  return isAlike ? `sk-${index}-somebody-else-${index}-9x` : `zz-${index}-by-somebody-else-zz`;
}

/** What others may make of an environment. */
export const TURNS = [{ deleted: true }, { deleted: false }, { stopped: true }, { retired: true }] as const;

/** Something of one kind that others do. */
export function act<A extends string, T>(kind: A, rest: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.record<T>(rest).map((one) => ({ act: kind, ...one }));
}

const on = environment;
const anyName = fc.constantFrom(...NAMES, ...STRANGERS);
const repo = fc.constantFrom(...REPOSITORIES);

export const foreign: fc.Arbitrary<Foreign> = weighted<Foreign>(
  [2, act("show", { on, name, hidden: fc.boolean() })],
  [2, act("scope", { on, name, services })],
  [
    5,
    fc
      .record({ on, name: anyName, hidden: fc.boolean(), services, index: number, isAlike: fc.boolean() })
      .map(({ index, isAlike, ...rest }) => ({
        act: "set" as const,
        ...rest,
        value: rest.hidden ? hiddenValue(index, isAlike) : `hand ${index}`,
      })),
  ],
  [4, act("delete", { on, name: anyName })],
  // Without a build, one in flight would deploy something else in the end.
  [2, act("branch", { on, repo, branch, build: fc.constant(true) })],
  [1, act("commit", { on, repo })],
  [2, act("flags", { on, flags: fc.constantFrom(...TURNS, { stopped: false, retired: false }) })],
  [1, act("failNextBuild", { on })],
  [1, fc.record({ act: fc.constant("revokeToken" as const) })],
  [1, fc.record({ act: fc.constant("grantToken" as const) })],
);
