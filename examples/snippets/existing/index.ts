import * as previewenv from "pulumi-previewenv";

new previewenv.EnvVarSet("vars", {
  environmentId: "11111111-1111-4111-8111-111111111142",
  variables: { LOG_LEVEL: "debug" },
  secrets: { SESSION_KEY: previewenv.existing() }, // must be there; its value is the service's
});
