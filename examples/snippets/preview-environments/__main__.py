import pulumi
import pulumi_previewenv as previewenv

# One for each environment of an open pull request of the repository `web`.
previews = previewenv.PreviewEnvironments(
    "web",
    match={"repo_name": "web"},
    pull_requests_only=True,
    variable_sets={
        "app": {
            "variables": {"LOG_LEVEL": "debug"},
            "variables_from": {
                "PUBLIC_URL": previewenv.VariablesFrom.URL,
                "PR_NUMBER": previewenv.VariablesFrom.PULL_REQUEST_NUMBER,
            },
        }
    },
)
pulumi.export("environments", previews.environments)
