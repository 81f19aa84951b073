"use strict";

const pulumi = require("@pulumi/pulumi");
const { declared } = require("./declared");

/** The least that a resource for each variable costs: handlers that do nothing, and one constant line. */
const handlers = `{
  create: async (inputs) => ({ id: inputs.name, outs: inputs }),
  read: async (id, { __provider, ...inputs }) => ({ id, props: inputs, inputs }),
  update: async (_id, _olds, news) => ({ outs: news }),
  delete: async () => {},
}`;

class Nothing extends pulumi.CustomResource {
  constructor(name, args) {
    super("pulumi-nodejs:dynamic/bench:Nothing", name, {
      ...args,
      __provider: `exports.handler = () => (${handlers});`,
    });
  }
}

const { environmentId, secrets } = declared();
const variables = Object.entries(secrets).map(([name, value]) => new Nothing(name, { environmentId, name, value }));

exports.ids = variables.map(({ id }) => id);
