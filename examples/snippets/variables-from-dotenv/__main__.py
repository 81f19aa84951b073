from pathlib import Path

import pulumi_previewenv as previewenv

shop = previewenv.variables_from_dotenv_output(text=Path("shop.env").read_text(encoding="utf-8"))
previewenv.EnvVarSet(
    "vars",
    environment_id="11111111-1111-4111-8111-111111111142",
    variables={"LOG_LEVEL": "debug"},  # readable, and named in a diff
    secrets=shop.variables,
)
