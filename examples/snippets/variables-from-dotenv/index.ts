import * as previewenv from "pulumi-previewenv";

// Names that end in _TOKEN or _URL become secrets, all others variables.
const { variables, secrets } = previewenv.variablesFromDotenv("shop.env", { secrets: ["*_TOKEN", "*_URL"] });
new previewenv.EnvVarSet("vars", {
  environmentId: "11111111-1111-4111-8111-111111111142",
  variables,
  secrets,
});
