import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const repository = new pulumi.Config().require("repository"); // in Pulumi.yaml
const pullRequest = Number(fromCi("PULL_REQUEST"));

const environment = previewenv.getEnvironmentOutput({
  repoName: repository,
  pullRequestNumber: pullRequest,
  waitSeconds: 600, // the service may still be creating the environment
});

const vars = new previewenv.EnvVarSet("vars", {
  environmentId: environment.id,
  variables: { LOG_LEVEL: "debug", PULL_REQUEST: String(pullRequest) },
  secrets: { DATABASE_URL: fromCi("DATABASE_URL") },
});

const deployed = new previewenv.EnvironmentBranches("branches", {
  environmentId: environment.id,
  branches: { [repository]: fromCi("BRANCH") },
  rebuildOn: [vars.revision],
  requires: ["DATABASE_URL"], // never a build without it
  whenStopped: "wake", // a build that is due starts a stopped environment
});

export const url = deployed.url;

function fromCi(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new pulumi.RunError(`the environment variable ${name} is not set: preview.yml shows where it comes from`);
  return value;
}
