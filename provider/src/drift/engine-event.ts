import * as z from "zod";

const bag = z.record(z.string(), z.unknown()).catch({});
const resourceState = z.object({ inputs: bag, outputs: bag });
const nothing: z.output<typeof resourceState> = { inputs: {}, outputs: {} };

const step = z.object({
  op: z.string(),
  urn: z.string(),
  type: z.string(),
  old: resourceState.nullish().transform((state) => state ?? nothing),
  new: resourceState.nullish().transform((state) => state ?? nothing),
  detailedDiff: z
    .record(z.string(), z.object({ diffKind: z.string() }))
    .nullish()
    .transform((diff) => diff ?? {}),
});

/** What the engine did, or would do, with one resource of this package. */
export interface OwnStep extends z.output<typeof step> {
  /** The type's last part, such as `EnvVarSet`. */
  readonly ownType: string;
}

const engineEvent = z.object({
  resOutputsEvent: z.object({ metadata: step }).optional(),
  diagnosticEvent: z.object({ message: z.string(), severity: z.string() }).optional(),
});

/** The types of this package, as dynamic provider and as plugin. */
const OWN_TYPE = /(?:\/previewenv|^previewenv:index):(\w+)$/u;
/** What the engine adds to the errors of resources. */
const VERDICT = /^(?:preview|update) failed$/u;
const COLOR = /<\{%[^%]*%\}>/gu;

/** The steps of this package's resources, in the order in which they ended. */
export function ownSteps(events: readonly unknown[]): readonly OwnStep[] {
  return events.flatMap((event) => {
    const found = engineEvent.safeParse(event).data?.resOutputsEvent?.metadata;
    if (found === undefined) return [];
    const ownType = OWN_TYPE.exec(found.type)?.[1];
    return ownType === undefined ? [] : [{ ...found, ownType }];
  });
}

/** The messages of the engine's errors, each once, without colors. */
export function errorMessages(events: readonly unknown[]): readonly string[] {
  const messages = events.flatMap((event) => {
    const found = engineEvent.safeParse(event).data?.diagnosticEvent;
    return found?.severity === "error" ? [found.message.replaceAll(COLOR, "").trim()] : [];
  });
  const own = messages.filter((message) => !VERDICT.test(message));
  return [...new Set(own.length > 0 ? own : messages)];
}
