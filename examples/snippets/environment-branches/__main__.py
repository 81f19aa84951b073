import pulumi
import pulumi_previewenv as previewenv

vars = previewenv.EnvVarSet(
    "vars",
    environment_id="11111111-1111-4111-8111-111111111142",
    variables={"LOG_LEVEL": "debug"},
)
branches = previewenv.EnvironmentBranches(
    "branches",
    environment_id=vars.environment_id,
    branches={"web": "feature/checkout"},
    rebuild_on=[vars.revision],  # one rebuild when variables changed and branches did not
)
pulumi.export("url", branches.url)
