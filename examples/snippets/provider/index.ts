import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const config = new pulumi.Config();
const second = new previewenv.Provider("second", { apiToken: config.requireSecret("secondToken") });
new previewenv.EnvVarSet(
  "vars",
  { environmentId: "11111111-1111-4111-8111-111111111142", variables: { LOG_LEVEL: "debug" } },
  { provider: second },
);
