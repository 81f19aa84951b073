import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const config = new pulumi.Config();

// The environment of pull request 42 of the repository `web`.
const shop = previewenv.getEnvironmentOutput({ repoName: "web", pullRequestNumber: 42 });

const vars = new previewenv.EnvVarSet("vars", {
  environmentId: shop.id,
  variables: { LOG_LEVEL: "debug", FEATURE_CHECKOUT: "on" }, // readable in the dashboard
  secrets: { DATABASE_URL: config.requireSecret("databaseUrl") }, // masked by the service, encrypted in state
  services: ["web", "worker"], // without this line: every service
});

const deployed = new previewenv.EnvironmentBranches("branches", {
  environmentId: shop.id,
  branches: { web: "feature/checkout" }, // repositories that are not named keep their branch
  rebuildOn: [vars.revision], // one rebuild when variables changed and branches did not
});

export const url = deployed.url;
