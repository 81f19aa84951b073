import * as z from "zod";
import type { EnvVar } from "../client/env-vars";
import { environmentIdField } from "../core/environment-id";
import { defineFunction } from "./function";

const variable = z.object({
  name: z.string().describe("Name of the variable."),
  hidden: z.boolean().describe("Whether the service masks the value."),
  value: z.string().optional().describe("The value of a variable that is not hidden."),
  maskedValue: z
    .string()
    .optional()
    .describe(
      "Of a hidden variable, what the service shows: the beginning and the end of the value, and asterisks between. " +
        "Never usable as the value, and no Pulumi secret: whoever may read the variables sees it.",
    ),
  services: z.array(z.string()).describe("The services that see it; empty: every service."),
  createdAt: z.string().optional().describe("`YYYY-MM-DDTHH:MM:SS`, no zone, as the service gives it."),
  updatedAt: z.string().optional().describe("`YYYY-MM-DDTHH:MM:SS`, no zone, as the service gives it."),
});

/** Reads the variables of an environment. A mask has a field of its own, so that nobody takes it for a value. */
export const getEnvVars = defineFunction({
  name: "getEnvVars",
  description:
    "Reads the variables of an environment, its own and those it inherits. The value of a hidden variable cannot be " +
    "read: such a variable has no `value` but a `maskedValue`.",
  inputs: z.strictObject({ environmentId: environmentIdField }),
  outputs: z.object({
    variables: z.array(variable).describe("The environment's own variables."),
    inherited: z
      .array(variable)
      .describe("The variables it inherits, as far as the service's answer can be read as variables."),
  }),

  async invoke({ client, signal }, { environmentId }) {
    const { variables, inherited } = await client.envVars.list(environmentId, { signal });
    return { variables: variables.map(toAnswer), inherited: inherited.map(toAnswer) };
  },
});

function toAnswer({ name, value, hidden, services, createdAt, updatedAt }: EnvVar): z.output<typeof variable> {
  return {
    name,
    hidden,
    ...(hidden ? { maskedValue: value } : { value }),
    services: [...services],
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
  };
}
