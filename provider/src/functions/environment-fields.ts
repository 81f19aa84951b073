import * as z from "zod";
import { flagFields } from "../environment/running-state";
import { lineField } from "../framework/fields";

/** The filters for environments. */
export const filterFields = {
  name: lineField.min(1).optional().describe("Exact name of the environment."),
  orgName: lineField.min(1).optional().describe("Organization of one of its repositories."),
  repoName: lineField.min(1).optional().describe("Name of one of its repositories."),
  branch: lineField.min(1).optional().describe("Branch of one of its repositories."),
  pullRequestNumber: z.int().positive().optional().describe("Pull request of one of its repositories."),
  deleted: z
    .boolean()
    .optional()
    .meta({ undefinedIsLeftOut: true })
    .describe("`true`: only deleted environments. `false` or left out: only those that are not deleted."),
};

/** The fields of an environment. */
export const environmentFields = {
  id: z.string().describe("UUID of the environment."),
  name: z.string().describe("Name of the environment."),
  url: z.string().describe("Address of the deployed environment. Empty when the service does not say."),
  ...flagFields,
  projects: z
    .array(
      z.object({
        repoName: z.string().describe("Name of the repository."),
        orgName: z.string().describe("Organization of the repository."),
        branch: z.string().describe("Branch that is deployed."),
        commitHash: z.string().describe("Commit that is deployed."),
        pullRequestNumber: z.int().optional().describe("Pull request of the branch, if it has one."),
      }),
    )
    .describe("The repositories of the environment, with branch and commit."),
};

/** An environment as functions answer it. Its access token (`bypassToken`) is left out: it would make every answer a secret. */
export const environmentAnswer = z.object(environmentFields);
