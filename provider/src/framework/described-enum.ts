import * as z from "zod";

/**
 * An enum with a description of each value, in whole sentences. The reference, the schema and the editor show them.
 * @param texts the description by value; the type checker refuses an enum in which one is missing
 */
export function describedEnum<const T extends string>(
  values: readonly [T, ...T[]],
  texts: Readonly<Record<T, string>>,
) {
  return z.enum(values).meta({ valueDescriptions: texts });
}
