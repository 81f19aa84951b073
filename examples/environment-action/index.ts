import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const config = new pulumi.Config(); // the defaults are in Pulumi.yaml

// Once now, and again whenever a trigger changes. Never by a refresh or a destroy.
new previewenv.EnvironmentAction("rebuild", {
  environmentId: config.require("environmentId"),
  action: "rebuild", // or "stop", "restart", "revive", "cancel"
  triggers: { baseImage: config.require("baseImage") },
});
