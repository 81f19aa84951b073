import pulumi
import pulumi_previewenv as previewenv

config = pulumi.Config()
second = previewenv.Provider("second", api_token=config.require_secret("secondToken"))
previewenv.EnvVarSet(
    "vars",
    environment_id="11111111-1111-4111-8111-111111111142",
    variables={"LOG_LEVEL": "debug"},
    opts=pulumi.ResourceOptions(provider=second),
)
