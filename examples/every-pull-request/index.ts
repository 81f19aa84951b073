import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const repository = new pulumi.Config().require("repository"); // in Pulumi.yaml
const databaseUrl = process.env["DATABASE_URL"];
if (!databaseUrl) throw new pulumi.RunError("the environment variable DATABASE_URL is not set");

const previews = new previewenv.PreviewEnvironments("previews", {
  match: { repoName: repository },
  // An environment without a pull request belongs to a branch, such as main.
  exclude: (environment) => pullRequestOf(environment) === undefined,
  each: (environment) => ({
    variableSets: {
      app: {
        variables: { LOG_LEVEL: "debug", PULL_REQUEST: String(pullRequestOf(environment)) },
        secrets: { DATABASE_URL: databaseUrl },
      },
    },
  }),
});

export const environments = previews.environments;

function pullRequestOf({ projects }: previewenv.GetEnvironmentsEnvironment): number | undefined {
  return projects.find(({ repoName }) => repoName === repository)?.pullRequestNumber;
}
