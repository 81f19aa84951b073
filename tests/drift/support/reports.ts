import { conclude } from "../../../provider/src/drift/report-schema";
import type { DriftItem, Report, StackReport } from "../../../provider/src/drift/report-schema";

/** A set in a stack. */
export const set = {
  urn: "urn:pulumi:dev::project::previewenv:index:EnvVarSet::vars",
  resource: "vars",
  type: "EnvVarSet",
  environmentId: "e1",
} as const;

/** A stack that is in sync, if nothing else is given. */
export function stack(name: string, options: Partial<StackReport> = {}): StackReport {
  return { stack: name, status: "in sync", drift: [], ignored: [], builds: [], errors: [], ...options };
}

/** The report about these stacks. */
export function reportOf(...stacks: readonly StackReport[]): Report {
  return conclude({ stacks });
}

/** Differences of a set, by the names of its variables. */
export function changed(count: number, prefix = "VARIABLE"): readonly DriftItem[] {
  return Array.from({ length: count }, (_, index) => ({ ...set, name: `${prefix}_${index}`, kind: "changed" }));
}
