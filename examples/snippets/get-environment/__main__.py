import pulumi
import pulumi_previewenv as previewenv

found = previewenv.get_environment_output(repo_name="web", pull_request_number=42)
pulumi.export("url", found.url)
