import * as previewenv from "pulumi-previewenv";

// LOG_LEVEL=debug becomes a variable, STRIPE_TOKEN=... a secret.
const { variables, secrets } = previewenv.variablesFromDotenv("shop.env", { secrets: ["*_TOKEN", "*_URL"] });
new previewenv.EnvVarSet("vars", {
  environmentId: "11111111-1111-4111-8111-111111111142",
  variables,
  secrets,
});
