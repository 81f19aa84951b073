import * as z from "zod";
import { flatten } from "./environment-answer";

/** An inherited variable, as far as it can be read: the specification does not show what these items hold. */
export interface InheritedVar {
  readonly name?: string;
  /** As the service gives it. Only where `hidden` is false is it known to be no secret. */
  readonly value?: string;
  readonly hidden?: boolean;
  /** Empty: every service. Absent: the service does not say. */
  readonly services?: readonly string[];
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

const Text = z.string().optional().catch(undefined);
const Services = z
  .array(z.string())
  .nullish()
  // In a write, null means every service.
  .transform((services) => (services === null ? [] : services))
  .catch(undefined);

/** Each field by itself: one of another shape does not hide the others. What is no object has none. */
const InheritedItem = z.preprocess(
  flatten,
  z
    .looseObject({
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
    })),
);

/** `included` of a list of variables; absent, null or of another shape, it holds nothing. */
export const Included = z
  .looseObject({ inherited: z.array(InheritedItem).catch([]) })
  .catch({ inherited: [] })
  .transform(({ inherited }): readonly InheritedVar[] => inherited);
