import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const shop = new previewenv.PreviewEnvironment("shop", {
  environment: { repoName: "web", pullRequestNumber: 42 },
  variableSets: {
    app: { variables: { LOG_LEVEL: "debug" } },
    database: { secrets: { DATABASE_URL: new pulumi.Config().requireSecret("databaseUrl") } },
  },
  branches: { web: "feature/checkout" }, // written after the variables, so that one build has both
});
export const url = shop.url;
