import pulumi
import pulumi_previewenv as previewenv

found = previewenv.get_environments_output(repo_name="web")
pulumi.export("environments", found.environments)
