import * as z from "zod";
import { flattened, listOf } from "./answer";

/** An inherited variable, as far as it can be read: the specification does not show what these items hold. */
export interface InheritedVar {
  readonly name?: string;
  /** As the service gives it. It is known to be no secret only when `hidden` is false. */
  readonly value?: string;
  readonly hidden?: boolean;
  /** Empty: every service. Absent: the service does not say. */
  readonly services?: readonly string[];
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

const Text = z.string().optional().catch(undefined);
const Services = listOf(z.string())
  .nullish()
  // In a write, null means every service.
  .transform((services) => (services === null ? [] : services))
  .catch(undefined);

/** More items are not read: each field of another shape costs time. */
const MAX_INHERITED = 20_000;

/** Each field is read by itself, so that one of another shape does not lose the others. An item that is no object has no fields. */
const InheritedItem = flattened({
  name: Text,
  value: Text,
  hidden: z.boolean().optional().catch(undefined),
  services: Services,
  created_at: Text,
  updated_at: Text,
})
  .catch({ services: undefined })
  .transform(({ name, value, hidden, services, created_at, updated_at }): InheritedVar => ({
    ...(name !== undefined && { name }),
    ...(value !== undefined && { value }),
    ...(hidden !== undefined && { hidden }),
    ...(services !== undefined && { services }),
    ...(created_at !== undefined && { createdAt: created_at }),
    ...(updated_at !== undefined && { updatedAt: updated_at }),
  }));

function firstOnes(items: unknown): unknown {
  return Array.isArray(items) ? items.slice(0, MAX_INHERITED) : items;
}

/** `included` of a list of variables; absent, null or of another shape, it holds nothing. */
export const Included = z
  .object({ inherited: z.preprocess(firstOnes, z.array(InheritedItem)).catch([]) })
  .catch({ inherited: [] })
  .transform(({ inherited }): readonly InheritedVar[] => inherited);
