import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const config = new pulumi.Config(); // the default is in Pulumi.yaml

const shop = new previewenv.PreviewEnvironment("shop", {
  environment: { repoName: "web", pullRequestNumber: 42 },
  variableSets: {
    // Without `secrets`, every entry of the file is secret.
    file: previewenv.variablesFromDotenv("shop.env", { secrets: ["DATABASE_URL", "*_TOKEN"] }),
    checkout: { variables: { FEATURE_CHECKOUT: "on" }, services: ["web"] },
  },
  branches: { web: "feature/checkout" },
  state: config.require<"running" | "stopped">("state", { allowedValues: ["running", "stopped"] }),
});

export const { url, projects } = shop;
