import * as z from "zod";
import { isExisting, isPlaceholder } from "../env-vars/placeholder";
import { readUpdateTimes, updateTimesSchema } from "../env-vars/update-times";
import { SIGNATURE } from "../framework/properties";
import type { OwnStep } from "./engine-event";
import type { DriftItem } from "./report-schema";

/** Longer values are not shown: a report is no place for a certificate. */
export const MAX_SHOWN_CHARACTERS = 200;

const mapSchema = z.record(z.string(), z.unknown());
const observedSchema = z.object({ names: updateTimesSchema }).catch({ names: {} });

type Bag = OwnStep["old"]["outputs"];
type Values = Pick<DriftItem, "oldValue" | "newValue">;

/**
 * Which values a report may show: those of variables that every resource of the environment has as a visible one, in state
 * and on the service, before and now. What is a secret anywhere, was hidden or made visible by hand, or cannot be read, is not shown.
 */
export class VisibleValues {
  readonly #kept = new Set<string>();
  readonly #closed = new Set<string>();

  constructor(steps: readonly OwnStep[]) {
    for (const step of steps) {
      const bags = [step.old.inputs, step.old.outputs, step.new.inputs, step.new.outputs];
      // A map that is one secret does not tell its names. Those of secrets are known by their times.
      const isKnown = bags.some(({ observed }) => observed !== undefined);
      const isHidden = bags.some(({ variables, secrets }) => isSecret(variables) || (isSecret(secrets) && !isKnown));
      if (isHidden) this.#closed.add(environmentOf(step));
      for (const bag of bags) this.#note(step, bag);
    }
  }

  /** The values of a variable of a set, or of a single one, before and now; neither of them when it may not be shown. */
  of(step: OwnStep, name: string): Values {
    const environment = environmentOf(step);
    if (this.#closed.has(environment) || this.#kept.has(keyOf(environment, name))) return {};
    const [oldValue, newValue] = [step.old.outputs, step.new.outputs].map((bag) => visibleOf(bag).get(name));
    if (![oldValue, newValue].every((value) => value === undefined || isShort(value))) return {};
    return { ...(oldValue !== undefined && { oldValue }), ...(newValue !== undefined && { newValue }) };
  }

  #note(step: OwnStep, bag: Bag): void {
    const environment = environmentOf(step);
    const visible = visibleOf(bag);
    const inMaps = [bag["variables"], bag["secrets"]].flatMap((map) =>
      Object.keys(mapSchema.safeParse(map).data ?? {}),
    );
    const names = [...inMaps, ...readUpdateTimes(observedSchema.parse(bag["observed"]).names).keys()];
    const single = singleName(bag);
    for (const name of single === undefined ? names : [single, ...names])
      if (!visible.has(name)) this.#kept.add(keyOf(environment, name));
  }
}

/** The visible variables of a set or of a single one, whose values are what the service has. */
function visibleOf(bag: Bag): ReadonlyMap<string, string> {
  const single = singleName(bag);
  const all =
    single === undefined
      ? mapSchema.safeParse(bag["variables"]).data
      : { [single]: bag["hidden"] === false && bag["value"] };
  const secrets = mapSchema.safeParse(bag["secrets"]).data ?? {};
  const entries = Object.entries(all ?? {}).flatMap(([name, value]): readonly (readonly [string, string])[] =>
    typeof value === "string" && !isPlaceholder(value) && !isExisting(value) && !Object.hasOwn(secrets, name)
      ? [[name, value]]
      : [],
  );
  return new Map(entries);
}

/** The name of a variable that is a resource of its own. */
function singleName({ name, value }: Bag): string | undefined {
  return typeof name === "string" && value !== undefined ? name : undefined;
}

/** Whether the engine has blanked a value, or a whole map, because it is a secret. */
export function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, SIGNATURE);
}

function isShort(value: string): boolean {
  return Array.from(value).length <= MAX_SHOWN_CHARACTERS;
}

function environmentOf({ old }: OwnStep): string {
  return String(old.outputs["environmentId"]);
}

function keyOf(environment: string, name: string): string {
  return `${environment}\0${name}`;
}
