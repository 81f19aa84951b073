import pulumi_previewenv as previewenv

previewenv.EnvironmentAction(
    "rebuild",
    environment_id="11111111-1111-4111-8111-111111111142",
    action=previewenv.Action.REBUILD,
    triggers={"image": "registry.example.com/shop:2.4.1"},  # another image: another rebuild
)
