import * as z from "zod";
import { describedEnum } from "../framework/fields";

/** The version of the JSON report. Raised when something in it changes its meaning. */
export const REPORT_VERSION = 1;

const optionalText = (description: string) => z.exactOptional(z.string().describe(description));

/** A difference of one variable, repository or resource. */
const kindSchema = describedEnum(
  ["changed", "deleted", "added", "hidden", "services", "branch", "build", "state", "gone"],
  {
    changed:
      "The value differs. Of a hidden EnvVar: the value or the hidden flag, which the engine does not tell apart.",
    deleted: "The variable does not exist any more.",
    added: "No resource declares the variable, and a set with `prune` will delete it.",
    hidden: "A visible variable was hidden, or a hidden one was made visible.",
    services: "Other services see the variable.",
    branch: "Another branch is deployed.",
    build: "A build is due: it had to wait until the environment runs, or it was not seen to succeed.",
    state: "The environment was stopped, started, retired or marked as deleted.",
    gone: "The whole environment is gone.",
  },
).describe("What happened.");

const resourceShape = {
  urn: z.string().describe("URN of the resource."),
  resource: z.string().describe("Name of the resource in the program."),
  type: z.string().describe("Its type, such as `EnvVarSet`."),
  environmentId: optionalText("UUID of the environment, when it is known."),
  environmentName: optionalText("Name of the environment, when a resource of the stack has it."),
  environmentUrl: optionalText("Address of the environment, when a resource of the stack has it."),
};

/** One difference between the state of a stack and the service. */
export const driftItemSchema = z
  .object({
    ...resourceShape,
    name: optionalText(
      "Variable or repository. Left out when the whole resource differs, or when the engine hides the name.",
    ),
    kind: kindSchema,
    detail: optionalText("Services as they are now, a branch or state before and now, and other facts in words."),
    since: optionalText(
      "`updated_at` of the variable as the service gave it: `YYYY-MM-DDTHH:MM:SS`, without a time zone.",
    ),
    restored: z.exactOptional(
      z.boolean().describe("Whether `--heal` restored it. Left out without `--heal`, and for what is ignored."),
    ),
    reason: optionalText("Why it was not restored."),
  })
  .meta({ id: "difference", description: "One difference between the state of a stack and the service." });

/** A build that `--heal` started, or should have started. */
export const buildItemSchema = z
  .object({
    ...resourceShape,
    result: describedEnum(["succeeded", "failed", "queued", "owed", "not started"], {
      succeeded: "The build was deployed.",
      failed: "The build failed.",
      queued: "Nobody waits for the build, because of `waitForBuild: false`.",
      owed: "The build is postponed, because the environment does not run: an `up` requests it once a refresh has seen the environment running.",
      "not started": "`--heal` started nothing. `reason` says why.",
    }).describe("How the build ended."),
    id: optionalText("The build's id, when it is known."),
    reason: optionalText("Why it was not started."),
  })
  .describe(
    "A build that `--heal` started, or should have started, because of what it restored. Or an `EnvironmentAction` or `SnapshotLoad` that " +
      "is due because of that.",
  );

/** The findings in one stack. */
export const stackSchema = z
  .object({
    stack: z.string().describe("Name of the stack."),
    status: describedEnum(["in sync", "drift", "gone", "healed", "partly healed", "error"], {
      "in sync": "Nothing differs, apart from what is ignored.",
      drift: "Something differs.",
      gone: "An environment is gone.",
      healed: "Everything that differed was restored.",
      "partly healed": "`--heal` left something: each difference says what and why.",
      error:
        "The stack could not be checked or not restored, or a run since the last `up` may have stored drifted values.",
    }).describe("How the stack is."),
    drift: z.array(driftItemSchema).readonly().describe("What differs."),
    ignored: z.array(driftItemSchema).readonly().describe("What differs, and is ignored by an entry of `--ignore`."),
    builds: z.array(buildItemSchema).readonly().describe("The builds of `--heal`, and what only `pulumi up` starts."),
    errors: z.array(z.string()).readonly().describe("What went wrong, for the status `error`."),
  })
  .describe("What was found in one stack.");

/** The whole report. Its JSON schema is published with the package. `tools/generate` writes it from here. */
export const reportSchema = z
  .object({
    version: z.literal(REPORT_VERSION).describe("Raised when something in the report changes its meaning."),
    status: describedEnum(["in sync", "healed", "drift", "error"], {
      "in sync": "Nothing differs, apart from what is ignored.",
      healed: "Everything that differed was restored.",
      drift: "Something differs, an environment is gone, or `--heal` left something.",
      error: "Something failed.",
    }).describe("How the whole run ended."),
    exitCode: z
      .union([z.literal(0), z.literal(1), z.literal(2)])
      .describe(
        "The exit code of the command. 0: in sync or healed. 1: an error. 2: drift, a gone environment, or something that `--heal` left.",
      ),
    drifted: z.int().min(0).describe("Number of differences that are not ignored."),
    restored: z.int().min(0).describe("Number of differences that `--heal` restored."),
    ignored: z.int().min(0).describe("Number of differences that are ignored."),
    stacks: z.array(stackSchema).readonly().describe("What was found in each stack."),
    backend: optionalText(
      "Where Pulumi keeps its state, without credentials: when the project has no stack there, and `--allow-no-stacks` allows that.",
    ),
    unusedIgnores: z
      .array(z.string())
      .readonly()
      .describe("Entries of `--ignore` that matched nothing, although their stacks could be checked."),
    errors: z.array(z.string()).readonly().describe("Why no stack could be checked."),
  })
  .describe("The report of `npx pulumi-previewenv drift --format json`.");

/** The whole report. */
export type Report = Readonly<z.output<typeof reportSchema>>;
/** The findings in one stack. */
export type StackReport = Readonly<z.output<typeof stackSchema>>;
/** How one stack is. */
export type StackStatus = StackReport["status"];
/** One difference between the state of a stack and the service. */
export type DriftItem = Readonly<z.output<typeof driftItemSchema>>;
/** A difference of one variable, repository or resource. */
export type DriftKind = DriftItem["kind"];
/** A build that `--heal` started, or should have started. */
export type BuildItem = Readonly<z.output<typeof buildItemSchema>>;

const EXIT_CODES = { "in sync": 0, healed: 0, drift: 2, error: 1 } as const;
/** Builds that stop no restored stack from being called healed. */
const BUILT: ReadonlySet<BuildItem["result"]> = new Set(["succeeded", "queued", "owed"]);
const LEFT: ReadonlySet<StackStatus> = new Set(["drift", "gone", "partly healed"]);

/** The report about a stack, with its status. A list that `parts` leaves out is empty. */
export function stackReport(stack: string, parts: Partial<StackReport>): StackReport {
  const report = { stack, drift: [], ignored: [], builds: [], errors: [], ...parts };
  return { ...report, status: stackStatus(report) };
}

/** The one place that decides how a stack is, whether something was restored or not. */
function stackStatus({ drift, builds, errors }: Omit<StackReport, "status">): StackStatus {
  if (errors.length > 0) return "error";
  if (drift.length === 0) return "in sync";
  const open = drift.filter(({ restored }) => restored !== true);
  const isBuilt = builds.every(({ result }) => BUILT.has(result));
  if (open.length === 0 && isBuilt) return "healed";
  if (open.length > 0 && isBuilt && open.every(({ kind }) => kind === "gone")) return "gone";
  return open.length < drift.length ? "partly healed" : "drift";
}

/** The report about these stacks, with its end in one word and as an exit code. */
export function conclude({
  stacks,
  backend,
  unusedIgnores = [],
  errors = [],
}: Pick<Report, "stacks"> & Partial<Report>): Report {
  const status = statusOf(stacks, errors);
  const drift = stacks.flatMap((stack) => stack.drift);
  return {
    version: REPORT_VERSION,
    status,
    exitCode: EXIT_CODES[status],
    drifted: drift.length,
    restored: drift.filter(({ restored }) => restored === true).length,
    ignored: stacks.flatMap((stack) => stack.ignored).length,
    stacks,
    ...(backend !== undefined && { backend }),
    unusedIgnores,
    errors,
  };
}

function statusOf(stacks: readonly StackReport[], errors: readonly string[]): Report["status"] {
  if (errors.length > 0 || stacks.some(({ status }) => status === "error")) return "error";
  if (stacks.some(({ status }) => LEFT.has(status))) return "drift";
  return stacks.some(({ status }) => status === "healed") ? "healed" : "in sync";
}
