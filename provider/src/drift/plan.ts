import { nameList, quotedList } from "../client/error-text";
import type { BuildItem, DriftItem } from "./report-schema";
import { resourceName } from "./engine-event";
import type { Program } from "./program";

const GONE = "its environment is gone";
/** Why a resource is left that also has an ignored difference. Their names follow. */
export const IGNORED = "an update would also restore what is ignored";

/** The differences that `--heal` restores, and those that it leaves. */
export interface HealPlan {
  /** URNs of the resources to update. */
  readonly targets: readonly string[];
  /** Everything that drifted. A difference that is left says why. */
  readonly drift: readonly DriftItem[];
  /** The builds that may be due after this, and are left. */
  readonly builds: readonly BuildItem[];
}

/** The differences of a stack. */
export interface Differences {
  readonly drift: readonly DriftItem[];
  /** Differences that are ignored, and so must stay as somebody made them. */
  readonly ignored: readonly DriftItem[];
  /** URNs of resources that were replaced and are still to be deleted. */
  readonly replaced: ReadonlySet<string>;
}

/**
 * Decides what is restored: what drifted and is unchanged in the program, and each EnvironmentBranches that rebuilds for
 * it and is unchanged too, or what was restored would not reach the running environment. An update restores a whole
 * resource, so a resource of which something is ignored is left.
 */
export function healPlan({ drift, ignored, replaced }: Differences, program: Program): HealPlan {
  const all = [...drift, ...ignored];
  const reasonToLeave = (urn: string): string | undefined =>
    ignoredReason(urn, ignored) ?? program.reasonToLeave(urn) ?? deletingReason(program.dependentsAmong(urn, replaced));
  // An EnvironmentState still sees an environment that is only marked as deleted, and an update of it revives that.
  const reviving = all.filter(({ kind, urn }) => kind === "state" && reasonToLeave(urn) === undefined);
  const revived = new Set(reviving.map(({ environmentId }) => environmentId));
  const gone = all.filter(({ kind, environmentId }) => kind === "gone" && !revived.has(environmentId));
  const goneIds = new Set(gone.map(({ environmentId }) => environmentId));
  const decided = drift.map((item) => {
    const reason = goneIds.has(item.environmentId) ? GONE : reasonToLeave(item.urn);
    return reason === undefined ? item : { ...item, restored: false, reason };
  });
  const restored = new Set(decided.filter(({ reason }) => reason === undefined).map(({ urn }) => urn));
  const rebuilders = program
    .rebuildersOf(restored)
    .filter(({ urn }) => !restored.has(urn))
    .map((rebuilder) => ({ ...rebuilder, reason: reasonToLeave(rebuilder.urn) }));
  return {
    targets: [...restored, ...rebuilders.filter(({ reason }) => reason === undefined).map(({ urn }) => urn)],
    drift: decided,
    builds: rebuilders.flatMap(({ reason, ...resource }) =>
      reason === undefined ? [] : [{ ...resource, result: "not started", reason }],
    ),
  };
}

/** Why a resource is left of which something is ignored. */
export function ignoredReason(urn: string, ignored: readonly DriftItem[]): string | undefined {
  const names = ignored.filter((item) => item.urn === urn).map((item) => item.name ?? item.kind);
  return names.length === 0 ? undefined : `${IGNORED}: ${nameList(new Set(names))}`;
}

/** The engine deletes what a replacement left, together with any update of what has its URN, or of what that depends on. */
function deletingReason(urns: readonly string[]): string | undefined {
  if (urns.length === 0) return undefined;
  const names = quotedList(urns.map(resourceName));
  return `an earlier update replaced ${names} and did not delete what it replaced: an update would delete that now`;
}

/** Restores nothing, for one reason. */
export function leaveAll(drift: readonly DriftItem[], reason: string): readonly DriftItem[] {
  return drift.map((item) => (item.reason === undefined ? { ...item, restored: false, reason } : item));
}
