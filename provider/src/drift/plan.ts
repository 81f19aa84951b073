import type { BuildItem, DriftItem } from "./drift-item";
import { resourceName } from "./engine-event";
import type { Program } from "./program";

const GONE = "its environment is gone";

/** What `--heal` restores, and what it leaves. */
export interface Plan {
  /** URNs of the resources to update. */
  readonly targets: readonly string[];
  /** Everything that drifted; what is left says why. */
  readonly drift: readonly DriftItem[];
  /** The builds that should follow, and cannot. */
  readonly builds: readonly BuildItem[];
}

/**
 * Decides what is restored: what drifted and is unchanged in the program, and each EnvironmentBranches that rebuilds for
 * it and is unchanged too, or what was restored would not reach the running environment.
 */
export function plan(drift: readonly DriftItem[], program: Program): Plan {
  const revived = new Set(drift.filter((item) => revives(item, program)).map(({ environmentId }) => environmentId));
  const lost = new Set(drift.filter(({ kind }) => kind === "gone").map(({ environmentId }) => environmentId));
  const reasonFor = ({ urn, environmentId }: DriftItem): string | undefined => {
    if (lost.has(environmentId) && !revived.has(environmentId)) return GONE;
    return program.reasonToLeave(urn);
  };
  const decided = drift.map((item) => {
    const reason = reasonFor(item);
    return reason === undefined ? item : { ...item, restored: false, reason };
  });
  const restored = new Set(decided.filter(({ reason }) => reason === undefined).map(({ urn }) => urn));
  const rebuilders = program.rebuildersOf(restored).filter(({ urn }) => !restored.has(urn));
  const rebuilt = rebuilders.filter(({ urn }) => program.reasonToLeave(urn) === undefined);
  return {
    targets: [...restored, ...rebuilt.map(({ urn }) => urn)],
    drift: decided,
    builds: rebuilders.flatMap((one) => {
      const reason = program.reasonToLeave(one.urn);
      return reason === undefined ? [] : [{ ...one, resource: resourceName(one.urn), result: "not started", reason }];
    }),
  };
}

/** An EnvironmentState still sees an environment that is only marked as deleted, and an update of it revives that. */
function revives({ type, kind, urn }: DriftItem, program: Program): boolean {
  return type === "EnvironmentState" && kind !== "gone" && program.reasonToLeave(urn) === undefined;
}

/** Restores nothing, for one reason. */
export function leaveAll(drift: readonly DriftItem[], reason: string): readonly DriftItem[] {
  return drift.map((item) => (item.reason === undefined ? { ...item, restored: false, reason } : item));
}
