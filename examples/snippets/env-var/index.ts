import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const config = new pulumi.Config();
new previewenv.EnvVar("database-url", {
  environmentId: "11111111-1111-4111-8111-111111111142",
  name: "DATABASE_URL",
  value: config.requireSecret("databaseUrl"),
});
