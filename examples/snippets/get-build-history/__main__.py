import pulumi
import pulumi_previewenv as previewenv

found = previewenv.get_build_history_output(environment_id="11111111-1111-4111-8111-111111111142", limit=5)
pulumi.export("builds", found.builds)
