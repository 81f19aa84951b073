import * as z from "zod";
import type { EnvVar, InheritedVar } from "../client/env-vars";
import { environmentIdField } from "../framework/fields";
import { defineFunction } from "../framework/function";

const variable = z.object({
  name: z.string().describe("Name of the variable."),
  hidden: z.boolean().describe("Whether the service masks the value."),
  value: z.string().optional().describe("The value of a variable that is not hidden."),
  maskedValue: z
    .string()
    .optional()
    .describe(
      "The mask of a hidden value: asterisks replace its middle, or all of it. Do not use it as the value. It is not a Pulumi " +
        "secret: everybody who may read the variables sees it.",
    ),
  services: z.array(z.string()).describe("The services that see it. Empty: every service."),
  createdAt: z.string().optional().describe("`YYYY-MM-DDTHH:MM:SS`, no zone, as the service gives it."),
  updatedAt: z.string().optional().describe("`YYYY-MM-DDTHH:MM:SS`, no zone, as the service gives it."),
});

const inheritedVariable = variable.partial().extend({
  value: z.string().optional().describe("The value, only if `hidden` is `false`: any other value may be secret."),
  maskedValue: z
    .string()
    .optional()
    .describe(
      "The text that the service shows instead of the value, if `hidden` is not `false`. It is either empty or a mask: it has at least " +
        "three asterisks in a row.",
    ),
  createdAt: z.string().optional().describe("As the service gives it."),
  updatedAt: z.string().optional().describe("As the service gives it."),
});

/** Fewer asterisks may be part of a clear value. */
const MASK = /\*{3,}/u;

/** Reads the variables of an environment. A mask has a field of its own, so that nobody takes it for a value. */
export const getEnvVars = defineFunction({
  name: "getEnvVars",
  description:
    "Reads the variables of an environment: its own, and those that it inherits. The service does not return hidden values, so a " +
    "hidden variable has a `maskedValue` instead of a `value`.",
  inputs: z.strictObject({ environmentId: environmentIdField }),
  outputs: z.object({
    variables: z.array(variable).describe("The environment's own variables."),
    inherited: z
      .array(inheritedVariable)
      .describe(
        "The variables it inherits. The service does not document their fields, so each field may be missing. If nothing in an item " +
          "can be read, the item is empty.",
      ),
  }),

  async invoke({ client, signal }, { environmentId }) {
    const { variables, inherited } = await client.envVars.list(environmentId, { signal });
    return { variables: variables.map(toAnswer), inherited: inherited.map(toInherited) };
  },
});

function toAnswer({ value, ...rest }: EnvVar): z.output<typeof variable> {
  return variable.parse({ ...rest, ...(rest.hidden ? { maskedValue: value } : { value }) });
}

/** The specification does not say that the service masks inherited values. So a text counts as a value only when it is known to be
 * visible, and as a mask only when it looks like one. */
function toInherited({ value, ...rest }: InheritedVar): z.output<typeof inheritedVariable> {
  const isMask = value !== undefined && (value === "" || MASK.test(value));
  return inheritedVariable.parse({
    ...rest,
    ...(rest.hidden === false && value !== undefined && { value }),
    ...(rest.hidden !== false && isMask && { maskedValue: value }),
  });
}
