import * as z from "zod";

/** The version of the JSON report; raised when something in it changes its meaning. */
export const REPORT_VERSION = 1;

/** What happened to one variable, repository or resource. */
const kindSchema = z
  .enum(["changed", "deleted", "added", "hidden", "services", "branch", "build", "state", "gone"])
  .describe(
    "What happened. `changed`: the value (of a hidden EnvVar: value or hidden flag, which the engine does not tell apart). " +
      "`added`: nobody declares it, and the pruning set will delete it. `hidden`: a readable variable was hidden, or a hidden " +
      "one made readable. `services`: other services see it. `branch`: another branch is deployed. `build`: a build is due, which was owed until the environment runs, or was not seen " +
      "to succeed. `state`: the environment was " +
      "stopped, started, retired or marked as deleted. `gone`: the whole environment is gone.",
  );

const resourceShape = {
  urn: z.string(),
  resource: z.string().describe("Name of the resource in the program."),
  type: z.string().describe("Its type, such as `EnvVarSet`."),
  environmentId: z.exactOptional(z.string()),
  environmentName: z.exactOptional(
    z.string().describe("Name of the environment, when a resource of the stack has it."),
  ),
  environmentUrl: z.exactOptional(
    z.string().describe("Address of the environment, when a resource of the stack has it."),
  ),
};

const driftItemSchema = z
  .object({
    ...resourceShape,
    name: z.exactOptional(
      z
        .string()
        .describe(
          "Variable or repository; left out when the whole resource differs, or when the engine hides the name.",
        ),
    ),
    kind: kindSchema,
    detail: z.exactOptional(
      z.string().describe("Services as they are now, a branch or state before and now, and other facts in words."),
    ),
    since: z.exactOptional(
      z.string().describe("`updated_at` of the variable as the service gave it: `YYYY-MM-DDTHH:MM:SS`, without zone."),
    ),
    oldValue: z.exactOptional(
      z.string().describe("With `--show-visible-values`: the value of a visible variable as it was last deployed."),
    ),
    newValue: z.exactOptional(
      z.string().describe("With `--show-visible-values`: the value that a visible variable has now."),
    ),
    restored: z.exactOptional(
      z.boolean().describe("What came of `--heal`; left out when it was not asked for, and for what is ignored."),
    ),
    reason: z.exactOptional(z.string().describe("Why it was not restored.")),
  })
  .meta({ id: "difference", description: "One difference between the state of a stack and the service." });

const buildItemSchema = z
  .object({
    ...resourceShape,
    result: z
      .enum(["succeeded", "failed", "queued", "owed", "not started"])
      .describe(
        "`queued`: nobody waits for it, because of `waitForBuild: false`. `owed`: the environment does not run, and " +
          "`whenStopped` is `skip`: an `up` requests it once a refresh has seen the environment running.",
      ),
    id: z.exactOptional(z.string().describe("The build's id, when it is known.")),
    reason: z.exactOptional(z.string().describe("Why it was not started.")),
  })
  .describe("A build that `--heal` started, or should have started, because of what it restored.");

const stackSchema = z
  .object({
    stack: z.string(),
    status: z.enum(["in sync", "drift", "gone", "healed", "partly healed", "error"]),
    drift: z.array(driftItemSchema).readonly(),
    ignored: z.array(driftItemSchema).readonly().describe("What differs, and is ignored by an entry of `--ignore`."),
    builds: z.array(buildItemSchema).readonly().describe("The builds of `--heal`."),
    errors: z.array(z.string()).readonly().describe("What went wrong, for the status `error`."),
  })
  .describe("What was found in one stack.");

/** The whole report. Its JSON schema is published with the package; `tools/generate` writes it from here. */
export const reportSchema = z
  .object({
    version: z.literal(REPORT_VERSION).describe("Raised when something in the report changes its meaning."),
    status: z
      .enum(["in sync", "healed", "drift", "error"])
      .describe("The end of the whole run. `healed`: all that had drifted was restored."),
    exitCode: z
      .union([z.literal(0), z.literal(1), z.literal(2)])
      .describe("0: in sync or healed. 2: drift, or something that `--heal` left. 1: an error."),
    drifted: z.int().min(0).describe("Number of differences that are not ignored."),
    restored: z.int().min(0).describe("Number of differences that `--heal` restored."),
    ignored: z.int().min(0).describe("Number of differences that are ignored."),
    stacks: z.array(stackSchema).readonly(),
    unusedIgnores: z
      .array(z.string())
      .readonly()
      .describe("Entries of `--ignore` that matched nothing, although their stacks could be looked at."),
    errors: z.array(z.string()).readonly().describe("Why no stack could be looked at."),
  })
  .describe("The report of `previewenv-drift --format json`.");

/** The whole report. */
export type Report = Readonly<z.output<typeof reportSchema>>;
/** What was found in one stack. */
export type StackReport = Readonly<z.output<typeof stackSchema>>;
/** How one stack is. */
export type StackStatus = StackReport["status"];
/** One difference between the state of a stack and the service. */
export type DriftItem = Readonly<z.output<typeof driftItemSchema>>;
/** What happened to one variable, repository or resource. */
export type DriftKind = DriftItem["kind"];
/** A build that `--heal` started, or should have started. */
export type BuildItem = Readonly<z.output<typeof buildItemSchema>>;
