import pulumi_previewenv as previewenv

previewenv.SnapshotLoad(
    "data",
    environment_id="11111111-1111-4111-8111-111111111142",
    sequence_number=7,
)
