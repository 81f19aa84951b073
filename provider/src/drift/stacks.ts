import { forEachConcurrently } from "../client/concurrency";
import { didYouMean } from "../command/did-you-mean";
import { driftItemsAmong, stillToBeDeleted } from "./drift-items";
import { heal } from "./heal";
import { doubtAbout } from "./history";
import { type IgnoreEntry, separate, unusedIgnores } from "./ignore";
import type { Engine } from "./pulumi-cli";
import { conclude, type Report, stackReport, type StackReport, type StackStatus } from "./report-schema";
import { isInShard, ownName, type Shard } from "./shard";
import { see } from "../client/troubleshooting";

/** The CLI's text about a stack that does not exist. */
const NO_SUCH_STACK = /^no stack named /u;

/** How a stack is said to be only when its history leaves no doubt. */
const GOOD: ReadonlySet<StackStatus> = new Set(["in sync", "healed"]);

/** Which stacks are looked at, and what is done with them. */
export interface DriftRequest {
  /** Empty: every stack of the project. */
  readonly stacks: readonly string[];
  /** The part of these stacks to look at. All of them when left out. */
  readonly shard?: Shard;
  /** How many stacks are looked at side by side. */
  readonly parallel: number;
  /** Differences that do not count as drift. */
  readonly ignore: readonly IgnoreEntry[];
  readonly heal: boolean;
  /** Whether the project may have no stack at all. */
  readonly allowNoStacks: boolean;
  /** Told what goes on, a line at a time. */
  readonly progress: (line: string) => void;
}

/** Looks at the stacks side by side. One that fails does not stop the others. Never throws: that too is in the report. */
export async function findDrift(engine: Engine, request: DriftRequest): Promise<Report> {
  const { stacks: named, shard, ignore } = request;
  try {
    const all = named.length > 0 ? await differentStacks(named, engine) : await engine.stacks();
    if (all.length === 0) return conclude({ stacks: [], backend: await emptyBackend(engine, request) });
    // A part of a few stacks may well be empty.
    const chosen = all.filter((stack) => shard === undefined || isInShard(stack, shard));
    const stacks = await checkAll(chosen, engine, request);
    const isWhole = named.length === 0 && shard === undefined;
    return conclude({ stacks, unusedIgnores: unusedIgnores(ignore, stacks, isWhole) });
  } catch (error) {
    return conclude({ stacks: [], errors: [messageOf(error)] });
  }
}

/** Each stack once, by the first of its names: `dev` and `acme/shop/dev` may be one stack, or those of two organizations. */
async function differentStacks(names: readonly string[], engine: Engine): Promise<readonly string[]> {
  const stacks = new Map<string, string>();
  for (const [name, alike] of Map.groupBy(names, ownName))
    for (const stack of alike) {
      const whole = alike.length === 1 ? name : await engine.wholeName(stack);
      if (!stacks.has(whole)) stacks.set(whole, stack);
    }
  return [...stacks.values()];
}

/** Where no stack is. Unless that is expected, a check in the wrong place would always pass. */
async function emptyBackend(engine: Engine, { allowNoStacks }: DriftRequest): Promise<string> {
  const backend = await engine.backend();
  if (allowNoStacks) return backend;
  throw new Error(
    `Found no stack of this project in ${backend}: check PULUMI_BACKEND_URL and --cwd, or name a stack with --stack. ` +
      `If the project may have no stack, give --allow-no-stacks. ${see("no-stacks")}`,
  );
}

async function checkAll(
  stacks: readonly string[],
  engine: Engine,
  request: DriftRequest,
): Promise<readonly StackReport[]> {
  const reports = new Map<string, StackReport>();
  await forEachConcurrently(stacks, request.parallel, async (stack) => {
    request.progress(`${stack}: looking`);
    const report = await check(stack, engine, request);
    reports.set(stack, report);
    request.progress(`${stack}: ${report.status} (${reports.size} of ${stacks.length})`);
  });
  return stacks.flatMap((stack) => reports.get(stack) ?? []);
}

async function check(stack: string, engine: Engine, request: DriftRequest): Promise<StackReport> {
  let differences: Partial<StackReport> = {};
  try {
    const { steps, errors } = await engine.previewRefresh(stack);
    const { drift, ignored } = separate(stack, driftItemsAmong(steps), request.ignore);
    differences = { drift, ignored };
    if (errors.length > 0)
      return stackReport(stack, { ...differences, errors: await withNearest(stack, errors, engine) });
    const state = await engine.export(stack);
    const doubt = await doubtAbout(engine, stack, state);
    // After a killed run, the service may have what was declared, and state what somebody had changed. An update would also end what that
    // run has left, so that the next check would not know of it.
    if (doubt?.isKilled) return stackReport(stack, { ...differences, errors: [doubt.text] });
    if (drift.length > 0 && request.heal) {
      request.progress(`${stack}: restoring`);
      const healed = await heal(engine, stack, state, { drift, ignored, replaced: stillToBeDeleted(steps) });
      differences = { ...differences, ...healed };
    }
    const report = stackReport(stack, differences);
    if (doubt === undefined || !GOOD.has(report.status)) return report;
    return stackReport(stack, { ...differences, errors: [doubt.text] });
  } catch (error) {
    return stackReport(stack, { ...differences, errors: [messageOf(error)] });
  }
}

/** The errors, with the stack that was probably meant where the CLI says that there is none of this name. */
async function withNearest(stack: string, errors: readonly string[], engine: Engine): Promise<readonly string[]> {
  if (!errors.some((error) => NO_SUCH_STACK.test(error))) return errors;
  const hint = didYouMean(stack, await engine.stacks().catch(() => []));
  return errors.map((error) => (hint !== "" && NO_SUCH_STACK.test(error) ? `${error}.${hint}` : error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
