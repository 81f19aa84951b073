import * as previewenv from "pulumi-previewenv";

new previewenv.EnvironmentAction("rebuild", {
  environmentId: "11111111-1111-4111-8111-111111111142",
  action: "rebuild",
  triggers: { image: "registry.example.com/shop:2.4.1" }, // another image: another rebuild
});
