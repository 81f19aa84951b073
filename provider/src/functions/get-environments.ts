import * as z from "zod";
import { environmentAnswer, filterFields } from "./environment-fields";
import type { CheckFailure } from "../framework/check";
import { defineFunction } from "../framework/function";
import { settledMatches } from "./matches";

const inputs = z.strictObject({
  ...filterFields,
  complete: z
    .boolean()
    .optional()
    .describe(
      "`true`: a list of one page, or of none, is read so too, and at least one filter is required. Set it in a program that declares something " +
        "for each environment: what one wrong answer lacks would be deleted.",
    ),
});

/**
 * Lists environments. The answer is an object, as every Pulumi function's is: it can be lifted, and get more fields.
 * Nothing found is no error here.
 */
export const getEnvironments = defineFunction({
  name: "getEnvironments",
  description:
    "Lists every environment that matches the filters, in the service's order. Without filters, it lists every environment " +
    "that is not deleted. Filters about a repository (`orgName`, `repoName`, `branch`, `pullRequestNumber`) must hold for " +
    "the same repository. The list is empty when no environment matches. A list of several pages is read until two reads in a " +
    "row give the same environments: an environment that moves to another page in between is not missing. When five reads all differ, " +
    "it is an error.",
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
