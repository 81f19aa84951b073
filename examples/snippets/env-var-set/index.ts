import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const config = new pulumi.Config();
new previewenv.EnvVarSet("vars", {
  environmentId: "11111111-1111-4111-8111-111111111142",
  variables: { LOG_LEVEL: "debug", FEATURE_CHECKOUT: "on" },
  secrets: { DATABASE_URL: config.requireSecret("databaseUrl") },
  services: ["web", "worker"],
  scopes: { FEATURE_CHECKOUT: ["web"] },
});
