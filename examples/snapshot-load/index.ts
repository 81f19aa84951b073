import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const config = new pulumi.Config(); // the defaults are in Pulumi.yaml
const sourceEnvironmentId = config.get("source");

// Once now, and again whenever something here changes. Never by a refresh or a destroy.
new previewenv.SnapshotLoad("data", {
  environmentId: config.require("environmentId"),
  sequenceNumber: config.requireNumber("snapshot"),
  ...(sourceEnvironmentId && { sourceEnvironmentId }), // left out: a snapshot of the environment itself
});
