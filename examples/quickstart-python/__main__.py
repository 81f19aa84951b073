import pulumi
import pulumi_previewenv as previewenv

config = pulumi.Config()

# The environment of pull request 42 of the repository `web`.
shop = previewenv.get_environment_output(repo_name="web", pull_request_number=42)

env_vars = previewenv.EnvVarSet(
    "vars",
    environment_id=shop.id,
    variables={"LOG_LEVEL": "debug", "FEATURE_CHECKOUT": "on"},  # readable in the dashboard
    secrets={"DATABASE_URL": config.require_secret("databaseUrl")},  # masked by the service, encrypted in state
    services=["web", "worker"],  # without this line: every service
)

branches = previewenv.EnvironmentBranches(
    "branches",
    environment_id=shop.id,
    branches={"web": "feature/checkout"},  # repositories that are not named keep their branch
    rebuild_on=[env_vars.revision],  # one rebuild when variables changed and branches did not
)

pulumi.export("url", branches.url)
