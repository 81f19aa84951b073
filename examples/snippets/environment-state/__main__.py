import pulumi_previewenv as previewenv

previewenv.EnvironmentState(
    "awake",
    environment_id="11111111-1111-4111-8111-111111111142",
    state=previewenv.State.RUNNING,
)
