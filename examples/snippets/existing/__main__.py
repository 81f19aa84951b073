import pulumi_previewenv as previewenv

previewenv.EnvVarSet(
    "vars",
    environment_id="11111111-1111-4111-8111-111111111142",
    variables={"LOG_LEVEL": "debug"},
    secrets={"SESSION_KEY": "previewenv:existing:v1"},  # must be there; its value is the service's
)
