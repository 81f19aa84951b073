import * as z from "zod";
import { ArgumentError } from "../client/errors";
import { defineFunction } from "../framework/function";
import { readDotenv } from "./dotenv-text";

const NAME = "variablesFromDotenv";

/** Reads a `.env` file. TypeScript programs have a function of their own: sdk/nodejs/runtime/dotenv.ts. */
export const variablesFromDotenv = defineFunction({
  name: NAME,
  description:
    "Reads the text of a `.env` file into a map for `secrets` of an EnvVarSet. The file uses the syntax of the `dotenv` package. " +
    "If a name occurs twice, the last value counts. `$NAME` in a value is not expanded. The function fails for a text without an " +
    "entry, for a line that is not an entry, a comment or blank, and for a quote that is not closed. The error contains the " +
    "number of the line. The result is a secret. But in Python, .NET and Java, the plain form returns plain text: wrap it in " +
    "`pulumi.secret` before you use it. A diff names the variables that change, without their values.",
  inputs: z.strictObject({ text: z.string().describe("The text of the file.") }),
  outputs: z.object({
    variables: z.record(z.string(), z.string()).describe("The entries of the file, value by name."),
  }),
  secret: true,
  isWrittenInTypeScript: true,

  async invoke({ log }, { text }) {
    const { entries, problem, warnings } = readDotenv(text);
    if (problem !== undefined) throw new ArgumentError(`${NAME}: the text of the file: ${problem}.`);
    for (const warning of warnings) log.warn(`${NAME}: ${warning}.`);
    return Promise.resolve({ variables: Object.fromEntries(entries) });
  },
});
