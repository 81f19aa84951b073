import pulumi
import pulumi_previewenv as previewenv

config = pulumi.Config()
previewenv.EnvVar(
    "database-url",
    environment_id="11111111-1111-4111-8111-111111111142",
    name="DATABASE_URL",
    value=config.require_secret("databaseUrl"),
)
