import { forEachConcurrently } from "../client/concurrency";
import { collect } from "./collect";
import type { StackReport } from "./drift-item";
import type { Engine } from "./engine";
import { heal } from "./heal";

/** Which stacks are looked at, and what is done with them. */
export interface DriftRequest {
  /** Empty: every stack of the project. */
  readonly stacks: readonly string[];
  readonly parallel: number;
  readonly heal: boolean;
  /** Told what goes on, a line at a time. */
  readonly progress: (line: string) => void;
}

/** Looks at the stacks side by side; one that fails does not stop the others. @throws when the project cannot be read. */
export async function findDrift(engine: Engine, request: DriftRequest): Promise<readonly StackReport[]> {
  const names = request.stacks.length > 0 ? request.stacks : await engine.stacks();
  // Without a stack there is nothing to find, and the check would always pass.
  if (names.length === 0)
    throw new Error(
      "Found no stack of this project: check PULUMI_BACKEND_URL and --cwd, or name a stack with --stack.",
    );
  const reports = new Map<string, StackReport>();
  await forEachConcurrently(names, request.parallel, async (name) => {
    request.progress(`${name}: looking`);
    const report = await lookAt(name, engine, request);
    reports.set(name, report);
    request.progress(`${name}: ${report.status} (${reports.size} of ${names.length})`);
  });
  return names.flatMap((name) => reports.get(name) ?? []);
}

async function lookAt(stack: string, engine: Engine, request: DriftRequest): Promise<StackReport> {
  const found: StackReport = { stack, status: "in sync", drift: [], builds: [], errors: [] };
  try {
    const { events, errors } = await engine.look(stack);
    const drift = collect(events);
    if (errors.length > 0) return { ...found, status: "error", drift, errors };
    if (drift.length === 0) return found;
    if (!request.heal)
      return { ...found, status: drift.every(({ kind }) => kind === "gone") ? "gone" : "drift", drift };
    request.progress(`${stack}: restoring`);
    return { ...found, ...(await heal(engine, stack, drift)) };
  } catch (error) {
    return { ...found, status: "error", errors: [error instanceof Error ? error.message : String(error)] };
  }
}
