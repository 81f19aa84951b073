import pulumi
import pulumi_previewenv as previewenv

shop = previewenv.PreviewEnvironment(
    "shop",
    environment={"repo_name": "web", "pull_request_number": 42},
    variable_sets={
        "app": {"variables": {"LOG_LEVEL": "debug"}},
        "database": {"secrets": {"DATABASE_URL": pulumi.Config().require_secret("databaseUrl")}},
    },
    branches={"web": "feature/checkout"},  # written after the variables, so that one build has both
)
pulumi.export("url", shop.url)
