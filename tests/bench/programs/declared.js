"use strict";

const { readFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");

/** What every contender declares: secrets, each from stack config. */
exports.declared = () => {
  const { environmentId, names } = JSON.parse(readFileSync("input.json", "utf8"));
  const config = new pulumi.Config("bench");
  return { environmentId, secrets: Object.fromEntries(names.map((name) => [name, config.requireSecret(name)])) };
};
