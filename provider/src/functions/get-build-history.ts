import * as z from "zod";
import { environmentIdField } from "../framework/fields";
import { defineFunction } from "../framework/function";

const inputs = z.strictObject({
  environmentId: environmentIdField,
  successfullyBuilt: z
    .boolean()
    .optional()
    .meta({ undefinedIsLeftOut: true })
    .describe("`true`: only builds that were deployed. `false` or left out: every build."),
  limit: z
    .int()
    .positive()
    .optional()
    .meta({ undefinedIsLeftOut: true })
    .describe("How many builds to return at most. Default: all."),
});

const build = z.object({
  id: z.string().describe("Identifier of the build."),
  successfullyBuilt: z.boolean().describe("Whether the build was deployed. `false` also while the build is running."),
  queuedAt: z
    .string()
    .describe(
      "When the build was queued, as the service gives it: ISO 8601, UTC, with microseconds. Empty when the service does not say.",
    ),
  projects: z
    .array(
      z.object({
        repoName: z.string().describe("Name of the repository."),
        repoOwner: z.string().describe("Organization of the repository."),
        branch: z.string().describe("Branch that was built."),
        commitHash: z.string().describe("Commit that was built."),
        pullRequestNumber: z.int().optional().describe("Pull request of the branch, if it has one."),
      }),
    )
    .describe("The repositories with the branch and commit that were built."),
});

/** Reads the builds of an environment from the newest on, page by page until there are enough. */
export const getBuildHistory = defineFunction({
  name: "getBuildHistory",
  description:
    "Lists the builds of an environment, newest first: all builds, or at most `limit`. The list is empty if there are no builds.",
  inputs,
  outputs: z.object({ builds: z.array(build).describe("The builds, newest first. Empty when there are none.") }),

  async invoke({ client, signal }, { environmentId, successfullyBuilt = false, limit = Infinity }) {
    const builds: z.output<typeof build>[] = [];
    for await (const listed of client.builds.list(environmentId, { successfullyBuilt }, { signal })) {
      if (successfullyBuilt && !listed.successfullyBuilt) continue;
      builds.push(build.parse(listed));
      // Leaving the loop asks for no further page.
      if (builds.length >= limit) break;
    }
    return { builds };
  },
});
