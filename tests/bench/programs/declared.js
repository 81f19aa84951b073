"use strict";

const { readFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");

/** What every contender declares. The benchmark's `--program` says how the program comes by the values. */
exports.declared = () => {
  const { environmentId, secrets, shape } = JSON.parse(readFileSync("input.json", "utf8"));
  const config = new pulumi.Config();
  const names = Object.keys(secrets);
  const fromConfig = (some) => Object.fromEntries(some.map((name) => [name, config.requireSecret(name)]));
  switch (shape) {
    case "config":
      return { environmentId, secrets: fromConfig(names) };
    case "object":
      return { environmentId, secrets: config.requireSecretObject("secrets") };
    case "mixed": {
      const visible = names.filter((_, index) => index % 2 === 1);
      const variables = Object.fromEntries(visible.map((name) => [name, secrets[name]]));
      return { environmentId, variables, secrets: fromConfig(names.filter((_, index) => index % 2 === 0)) };
    }
    default:
      return { environmentId, secrets };
  }
};
