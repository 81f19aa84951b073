import * as z from "zod";
import type { Build } from "../client/builds";
import { environmentIdField } from "../framework/environment-id";
import { defineFunction } from "../framework/function";

const inputs = z.strictObject({
  environmentId: environmentIdField,
  successfullyBuilt: z.boolean().optional().describe("Only builds that were deployed. `false` or left out: every one."),
  limit: z.int().positive().optional().describe("How many builds to give at most. Left out: all."),
});

const build = z.object({
  id: z.string().describe("Identifier of the build."),
  successfullyBuilt: z.boolean().describe("Whether it was deployed; `false` also while it is under way."),
  queuedAt: z
    .string()
    .describe(
      "When it was queued: ISO 8601, UTC, with microseconds, as the service gives it; empty when it does not say.",
    ),
  projects: z
    .array(
      z.object({
        repoName: z.string(),
        repoOwner: z.string(),
        branch: z.string(),
        commitHash: z.string(),
        pullRequestNumber: z.int().optional(),
      }),
    )
    .describe("The repositories as the build took them."),
});

/** Reads the builds of an environment from the newest on, page by page until there are enough. */
export const getBuildHistory = defineFunction({
  name: "getBuildHistory",
  description:
    "Lists the builds of an environment, newest first, over all pages or up to `limit`. The answer is an object, as every " +
    "Pulumi function's is, with an empty list when there are none.",
  inputs,
  outputs: z.object({ builds: z.array(build).describe("The builds, newest first; empty when there are none.") }),

  async invoke({ client, signal }, { environmentId, successfullyBuilt = false, limit = Infinity }) {
    const builds: z.output<typeof build>[] = [];
    for await (const one of client.builds.list(environmentId, { successfullyBuilt }, { signal })) {
      if (successfullyBuilt && !one.successfullyBuilt) continue;
      builds.push(toAnswer(one));
      // Leaving the loop asks for no further page.
      if (builds.length >= limit) break;
    }
    return { builds };
  },
});

function toAnswer({ id, successfullyBuilt, queuedAt, projects }: Build): z.output<typeof build> {
  return { id, successfullyBuilt, queuedAt, projects: [...projects] };
}
