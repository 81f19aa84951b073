import { type EngineEvent, LocalWorkspace, Stack } from "@pulumi/pulumi/automation";
import { collect, type Findings } from "./collect";
import type { StackReport } from "./drift-item";
import { errorMessages } from "./engine-event";
import { explain } from "./explain";

/** Only this package's resources are refreshed, as dynamic provider and as plugin: others would cost time and credentials. */
const OWN_URNS = ["**dynamic/previewenv:**", "**previewenv:index:**"];
const AGENT = "previewenv-drift";

/** Which stacks are looked at, and what is done with them. */
export interface DriftRequest {
  readonly cwd: string;
  /** Empty: every stack of the project. */
  readonly stacks: readonly string[];
  readonly parallel: number;
  readonly heal: boolean;
  /** Told what goes on, a line at a time. */
  readonly progress: (line: string) => void;
}

type Watch = (event: EngineEvent) => void;

/** Looks at the stacks side by side; one that fails does not stop the others. @throws when the project cannot be read. */
export async function findDrift(request: DriftRequest): Promise<readonly StackReport[]> {
  const workspace = await LocalWorkspace.create({ workDir: request.cwd });
  const known = await workspace.listStacks();
  const names = request.stacks.length > 0 ? request.stacks : known.map(({ name }) => name);
  // A check of nothing would be green for ever.
  if (names.length === 0)
    throw new Error(
      "Found no stack of this project: check PULUMI_BACKEND_URL and --cwd, or name a stack with --stack.",
    );
  const reports = new Map<string, StackReport>();
  const queue = [...names];
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      request.progress(`${name}: looking`);
      const report = await lookAt(name, workspace, request);
      reports.set(name, report);
      request.progress(`${name}: ${report.status} (${reports.size} of ${names.length})`);
    }
  };
  await Promise.all(Array.from({ length: request.parallel }, work));
  // To work with a stack the Automation API selects it; the user's choice is put back.
  const current = known.find((stack) => stack.current);
  if (current !== undefined) await workspace.selectStack(current.name);
  return names.flatMap((name) => reports.get(name) ?? []);
}

async function lookAt(name: string, workspace: LocalWorkspace, request: DriftRequest): Promise<StackReport> {
  const { events, errors } = await watched(async (onEvent) => {
    const stack = await Stack.select(name, workspace);
    await stack.previewRefresh({ target: OWN_URNS, userAgent: AGENT, color: "never", onEvent });
  });
  const found = collect(events);
  const { drift } = found;
  if (errors.length > 0) return { stack: name, status: "error", drift, errors };
  if (drift.length === 0) return { stack: name, status: "in sync", drift, errors };
  if (drift.every(({ kind }) => kind === "gone")) return { stack: name, status: "gone", drift, errors };
  const report: StackReport = { stack: name, status: "drift", drift, errors };
  // No target at all would mean every resource.
  if (!request.heal || found.restorable.length === 0) return report;
  request.progress(`${name}: restoring`);
  return heal(report, found, workspace);
}

/** The rest of the program stays as it is: a scheduled run restores, it does not deploy. */
async function heal(report: StackReport, found: Findings, workspace: LocalWorkspace): Promise<StackReport> {
  const { errors } = await watched(async (onEvent) => {
    const stack = await Stack.select(report.stack, workspace);
    await stack.up({ refresh: true, target: [...found.restorable], userAgent: AGENT, color: "never", onEvent });
  });
  if (errors.length > 0) return { ...report, status: "error", errors };
  return { ...report, status: found.isLost ? "gone" : "healed" };
}

/** Runs a command of the CLI; gives its events, and why it failed. */
async function watched(
  command: (onEvent: Watch) => Promise<void>,
): Promise<{ events: EngineEvent[]; errors: readonly string[] }> {
  const events: EngineEvent[] = [];
  try {
    await command((event) => events.push(event));
    return { events, errors: [] };
  } catch (error) {
    const messages = errorMessages(events);
    return { events, errors: messages.length > 0 ? messages : [explain(error)] };
  }
}
