import type * as z from "zod";
import { describedEnum } from "../framework/fields";

/** The input `onConflict` of a resource that declares variables. */
export const onConflictField = describedEnum(["fail", "overwrite"], {
  fail: "The `up` fails before any write. The error names all such variables.",
  overwrite: "The variables are written as the program declares them.",
})
  .default("fail")
  .describe(
    "What happens when the environment already has a declared variable with another value, visibility or services. A variable " +
      "that already is as declared is taken over in both cases.",
  );

/** What happens to names that exist with something else. */
export type OnConflict = z.output<typeof onConflictField>;
