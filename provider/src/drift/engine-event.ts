import { stripVTControlCharacters } from "node:util";
import * as z from "zod";
import { buildForNextUp, owedBuild, parseState, type PendingBuild, type StoredBranches } from "../builds/state";
import { isMap, isSpecial, pick } from "../framework/properties";
import { UNFINISHED_KEY } from "../framework/host-keys";

const stateOrNone = z.preprocess(
  (state) => state ?? {},
  z.object({
    outputs: z.record(z.string(), z.unknown()).catch({}),
    /** It was looked up with `.get()`: this stack does not deploy it. */
    external: z.boolean().default(false),
    /** It was replaced, and is still to be deleted. The resource that took its place has the same URN. */
    delete: z.boolean().default(false),
    /** Why its last create or update did not finish. */
    initErrors: z.array(z.string()).catch([]),
  }),
);

const step = z.object({
  op: z.string(),
  urn: z.string(),
  type: z.string(),
  old: stateOrNone,
  new: stateOrNone,
  detailedDiff: z.record(z.string(), z.object({ diffKind: z.string() })).catch({}),
});

/** A step that the engine took, or would take, with one resource. */
export interface ReportedStep extends z.output<typeof step> {
  readonly failed: boolean;
  /** The last part of a type of this package, such as `EnvVarSet`. Empty for all other types. */
  readonly ownType: string;
}

export type Outputs = ReportedStep["old"]["outputs"];

const message = z.object({ message: z.string(), severity: z.string() });
type Message = z.output<typeof message>;
const ended = z.object({ metadata: step }).optional();
const engineEvent = z
  .object({
    resOutputsEvent: ended,
    resOpFailedEvent: ended,
    diagnosticEvent: message.optional(),
    summaryEvent: z.looseObject({}).optional(),
  })
  .catch({});

/** What a preview shows in the place of a secret. */
export const BLANK = "[secret]";

/** The type of a single variable: it leaves state as soon as the variable does. */
export const SINGLE_VARIABLE = "EnvVar";
/** The type that deploys branches, and so has builds. */
export const BRANCHES = "EnvironmentBranches";
/** The types of this package, as dynamic provider and as plugin. */
const OWN_TYPE = /(?:\/previewenv|^previewenv:index):(\w+)$/u;
/** Texts that the engine and the language's SDK add to the errors of resources. */
const REPEATED_FAILURE =
  /^(?:(?:preview|update) failed|(?:Running program .+\n)?(?:<ref \*1> )?Error: resource .+ \[.+\] failed to register\n[\s\S]*|an unhandled error occurred: waiting for RPCs: [\s\S]*failed to register)$/u;
const COLOR = /<\{%[^%]*%\}>/gu;
/** Lines that some languages write before the reason why a program cannot run. */
const PRINTED_PREFIX = /^[Ee]rror: /u;
const PREFIX = /^error: /u;

const PARTS_BEFORE_NAME = 3;

/** The name of a type of this package, such as `EnvVarSet`. Empty for all other types. */
export function ownTypeOf(type: string): string {
  return OWN_TYPE.exec(type)?.[1] ?? "";
}

/** A resource as the report names it. */
export function resourceOf(urn: string, type: string, outputs: Outputs) {
  const environmentId = textOf(outputs, "environmentId");
  return { urn, resource: resourceName(urn), type, ...(environmentId !== undefined && { environmentId }) };
}

/** A text in outputs, if it is one. */
export function textOf(outputs: Outputs, name: string): string | undefined {
  const value = outputs[name];
  return typeof value === "string" ? value : undefined;
}

/**
 * The builds that the outputs of an EnvironmentBranches tell of. A blanked output tells nothing. A pending build that is blanked as a whole
 * counts as owed: only `pulumi up` knows more.
 * @throws UnreadableStateError
 */
export function buildsOf(outputs: Outputs): StoredBranches {
  // The engine may have blanked other outputs, too.
  const { pending, ...others } = pick(outputs, ["environmentId", "build", "pending", "waitForBuild"]);
  const shown = isMap(pending) ? { branches: {}, ...withoutBlanks(pending) } : pending;
  return parseState({ ...withoutBlanks(others), pending: isBlank(pending) ? owedBuild({}) : shown });
}

/** The entries that are shown, at any depth. */
function withoutBlanks(bag: Outputs): Outputs {
  const shown = Object.entries(bag).filter(([, value]) => !isBlank(value));
  return Object.fromEntries(shown.map(([name, value]) => [name, isMap(value) ? withoutBlanks(value) : value]));
}

/** Whether the engine shows a secret here: an object in events, and a text in a preview. */
function isBlank(value: unknown): boolean {
  return value === BLANK || isSpecial(value);
}

/**
 * The build that a resource has not seen to succeed, and that the next `pulumi up` looks after. None while its environment does not run.
 * @throws UnreadableStateError
 */
export function buildForNextUpIn(ownType: string, outputs: Outputs): PendingBuild | undefined {
  return ownType === BRANCHES ? buildForNextUp(buildsOf(outputs)) : undefined;
}

/**
 * Whether the last create or update of a deployed resource failed, and none has succeeded since. A refresh takes the errors away, and leaves
 * the mark of the dynamic provider.
 */
export function isUnfinished({ initErrors, outputs }: Pick<ReportedStep["old"], "initErrors" | "outputs">): boolean {
  return initErrors.length > 0 || outputs[UNFINISHED_KEY] === true;
}

/** Name of a resource in the program: what follows stack, project and type. It may have `::` in it. */
export function resourceName(urn: string): string {
  return urn.split("::").slice(PARTS_BEFORE_NAME).join("::");
}

/** The events of a command of the engine. */
export function readEvents(events: readonly unknown[]) {
  const read = events.map((event) => engineEvent.parse(event));
  return {
    /** The steps of all resources, in the order in which they ended, failed ones among them. */
    steps: read.flatMap(({ resOutputsEvent, resOpFailedEvent }): readonly ReportedStep[] => {
      const metadata = (resOpFailedEvent ?? resOutputsEvent)?.metadata;
      if (metadata === undefined) return [];
      return [{ ...metadata, failed: resOpFailedEvent !== undefined, ownType: ownTypeOf(metadata.type) }];
    }),
    errors: errorsAmong(read.flatMap(({ diagnosticEvent = [] }) => diagnosticEvent)),
    /** Whether the summary came, the engine's last event. */
    isComplete: read.some(({ summaryEvent }) => summaryEvent !== undefined),
  };
}

/**
 * Those of the messages that are errors, each once, without colors. A message that only repeats that something failed is left out. Some
 * languages, such as YAML, only print why a program cannot run: without an error of its own the lines that say so are given. Other lines
 * that a program prints may show its source or its values.
 */
export function errorsAmong(messages: readonly Message[]): readonly string[] {
  const bySeverity = Map.groupBy(messages, ({ severity }) => severity);
  const errors = (bySeverity.get("error") ?? []).map((error) => withoutColors(error).replace(PREFIX, ""));
  const causes = errors.filter((text) => !REPEATED_FAILURE.test(text));
  const printed = (bySeverity.get("info#err") ?? []).map(withoutColors).filter((text) => PRINTED_PREFIX.test(text));
  const printedCauses = printed.map((text) => text.replace(PRINTED_PREFIX, ""));
  return [...new Set([causes, printedCauses, errors].find((texts) => texts.length > 0))];
}

/** Without colors: those of the engine, and those of a terminal. */
function withoutColors({ message: text }: Message): string {
  return stripVTControlCharacters(text.replaceAll(COLOR, "")).trim();
}
