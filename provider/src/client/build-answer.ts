import * as z from "zod";
import { IdText, itemOf } from "./answer";
import { OptionalText, PullRequestNumber } from "./environment-answer";

const ProjectItem = itemOf({
  repo_name: z.string(),
  repo_owner: OptionalText,
  branch: z.string(),
  commit_hash: OptionalText,
  pull_request_number: PullRequestNumber,
});

/** One repository as a build took it. */
export type BuildProject = z.output<typeof ProjectItem>;

/** A build as an answer has it. */
export const BuildItem = itemOf({
  id: IdText,
  projects: z.array(ProjectItem).readonly(),
  // Null: a build that is not over.
  successfully_built: z
    .boolean()
    .nullable()
    .transform((isBuilt) => isBuilt ?? false),
  /** ISO 8601 in UTC with microseconds, as the service gives it. Empty when it does not say. */
  queued_at: OptionalText,
});

/** One build of an environment. */
export type Build = z.output<typeof BuildItem>;
