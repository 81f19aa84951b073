import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const config = new pulumi.Config(); // the defaults are in Pulumi.yaml

const shop = new previewenv.EnvironmentState("shop", {
  environmentId: config.require("environmentId"),
  state: config.require<"running" | "stopped">("state", { allowedValues: ["running", "stopped"] }),
});

export const ready = shop.ready;
