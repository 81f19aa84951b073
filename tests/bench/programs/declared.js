"use strict";

const { readFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");

/** What every contender declares: secrets, each from stack config. */
exports.declared = () => {
  const { environmentId, names } = JSON.parse(readFileSync("input.json", "utf8"));
  const config = new pulumi.Config("bench");
  return { environmentId, secrets: Object.fromEntries(names.map((name) => [name, config.requireSecret(name)])) };
};

/**
 * The least that holds secrets in a dynamic resource: one constant line, handlers that do nothing. Read gives inputs too, because
 * without them a refresh cannot show that something changed.
 */
const handlers = `{
  create: async (inputs) => ({ id: inputs.name || "floor", outs: inputs }),
  read: async (id, { __provider, ...inputs }) => ({ id, props: inputs, inputs }),
  update: async (_id, _olds, news) => ({ outs: news }),
  delete: async () => {},
}`;

exports.Least = class extends pulumi.CustomResource {
  constructor(name, args) {
    super("pulumi-nodejs:dynamic/bench:Least", name, {
      ...args,
      __provider: `exports.handler = () => (${handlers});`,
    });
  }
};
