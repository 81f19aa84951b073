import * as pulumi from "@pulumi/pulumi";
import * as previewenv from "pulumi-previewenv";

const config = new pulumi.Config(); // the defaults are in Pulumi.yaml
const environmentId = config.require("environmentId");

const level = new previewenv.EnvVar("level", {
  environmentId,
  name: "WORKER_LOG_LEVEL",
  value: config.require("level"),
  hidden: false, // readable in the dashboard; left out, it is masked and a secret
  services: ["worker"],
});

// Part of a family of variables that a loop declares: they share requests.
for (const queue of ["mail", "invoices"])
  new previewenv.EnvVar(queue, {
    environmentId,
    name: `QUEUE_${queue.toUpperCase()}`,
    value: `amqp://queue.internal/${queue}`,
  });

export const changed = level.updatedAt;
