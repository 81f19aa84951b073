import { parse } from "dotenv";
import * as z from "zod";
import { defineFunction } from "../framework/function";

/** Reads a `.env` file. TypeScript programs have a function of their own: sdk/nodejs/runtime/dotenv.ts. */
export const variablesFromDotenv = defineFunction({
  name: "variablesFromDotenv",
  description:
    "Reads the text of a `.env` file into a map for `secrets` of an EnvVarSet. The syntax is that of the `dotenv` package. When a name " +
    "occurs twice, the last value counts. `$NAME` in a value is not expanded. Lines that are not `NAME=value` are skipped. The result is one " +
    "secret, so a diff names the map and no variable in it. For variables that a diff shall name, write `variables` in the program.",
  inputs: z.strictObject({ text: z.string().describe("The text of the file.") }),
  outputs: z.object({
    variables: z.record(z.string(), z.string()).describe("The entries of the file, value by name."),
  }),
  secret: true,
  isWrittenInTypeScript: true,

  invoke: (_context, { text }) => Promise.resolve({ variables: parse(text) }),
});
