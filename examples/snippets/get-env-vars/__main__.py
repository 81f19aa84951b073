import pulumi
import pulumi_previewenv as previewenv

found = previewenv.get_env_vars_output(environment_id="11111111-1111-4111-8111-111111111142")
pulumi.export("variables", found.variables)
