import pulumi
import pulumi_previewenv as previewenv

# The variables of each environment of the repository `web`.
found = previewenv.get_environments(repo_name="web", complete=True)
for environment in found.environments:
    previewenv.PreviewEnvironment(
        environment.id,
        environment={"id": environment.id, "name": environment.name, "url": environment.url},
        variable_sets={"app": {"variables": {"ENVIRONMENT": environment.name}}},
        when_stopped=previewenv.WhenStopped.SKIP,
    )
pulumi.export("names", [environment.name for environment in found.environments])
