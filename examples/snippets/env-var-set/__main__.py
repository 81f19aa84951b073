import pulumi
import pulumi_previewenv as previewenv

config = pulumi.Config()
previewenv.EnvVarSet(
    "vars",
    environment_id="11111111-1111-4111-8111-111111111142",
    variables={"LOG_LEVEL": "debug", "FEATURE_CHECKOUT": "on"},
    secrets={"DATABASE_URL": config.require_secret("databaseUrl")},
    services=["web", "worker"],
    scopes={"FEATURE_CHECKOUT": ["web"]},
)
