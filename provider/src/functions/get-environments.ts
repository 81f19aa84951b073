import * as z from "zod";
import { environmentAnswer, filterFields } from "./environment-fields";
import type { CheckFailure } from "../framework/input-checks";
import { defineFunction } from "../framework/function";
import { settledMatches } from "./matches";

const inputs = z.strictObject({
  ...filterFields,
  complete: z
    .boolean()
    .optional()
    .describe(
      "`true`: also reads a list of one page, or an empty list, until two reads agree. It needs at least one filter. Set it if your " +
        "program declares resources for each environment: otherwise, one wrong answer could delete some of them.",
    ),
});

/**
 * Lists environments. The answer is an object, as every Pulumi function's is: it can be lifted, and get more fields.
 * Nothing found is no error here.
 */
export const getEnvironments = defineFunction({
  name: "getEnvironments",
  description:
    "Lists every environment that matches the filters, in the service's order. Without filters, it lists every environment that " +
    "is not deleted. Filters about a repository (`orgName`, `repoName`, `branch`, `pullRequestNumber`) must all match the same " +
    "repository. The list is empty if no environment matches. The function reads a list of several pages until two reads in a row agree, so " +
    "that no environment is missing. If five reads all differ, it fails.",
  inputs,
  outputs: z.object({
    environments: z.array(environmentAnswer).describe("The environments that match. Empty when none does."),
  }),
  rules,

  async invoke(context, { complete = false, ...filters }) {
    const environments = await settledMatches(context, filters, complete);
    return { environments: environments.map((environment) => environmentAnswer.parse(environment)) };
  },
});

/** A filter that a program leaves out because its value is missing must not make every environment match. */
function rules({
  complete = false,
  deleted: _isNoFilter,
  ...filters
}: z.output<typeof inputs>): readonly CheckFailure[] {
  if (!complete || Object.keys(filters).length > 0) return [];
  const names = Object.keys(filterFields).filter((name) => name !== "deleted");
  return [
    {
      path: "complete",
      reason: `needs at least one filter (${names.join(", ")}): without any, every environment would match`,
    },
  ];
}
