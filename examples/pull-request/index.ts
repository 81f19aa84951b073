import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const config = new pulumi.Config();
const repository = config.require("repository"); // in Pulumi.yaml
const branch = config.require("branch"); // preview.sh and pull-requests.mjs set it
const pullRequest = pullRequestOf(pulumi.getStack());

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
  branches: { [repository]: branch },
  rebuildOn: [vars.revision],
  requires: ["DATABASE_URL"], // never a build without it
  whenStopped: "wake", // a build that is due starts a stopped environment
});

export const url = deployed.url;

function pullRequestOf(stack: string): number {
  const [, number] = /^pr-(\d+)$/.exec(stack) ?? [];
  if (number === undefined) throw new pulumi.RunError(`the stack "${stack}" is not named pr-N after a pull request`);
  return Number(number);
}

function fromCi(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new pulumi.RunError(
      `the environment variable ${name} is not set: preview.yml and drift.yml show where it comes from`,
    );
  return value;
}
