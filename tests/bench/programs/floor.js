"use strict";

const pulumi = require("@pulumi/pulumi");
const { declared } = require("./declared");

/**
 * The least that holds secrets in a dynamic resource: one resource, one constant line, handlers that do nothing. Read gives
 * inputs too, because without them a refresh cannot show that something changed.
 */
const handlers = `{
  create: async (inputs) => ({ id: "floor", outs: inputs }),
  read: async (id, { __provider, ...inputs }) => ({ id, props: inputs, inputs }),
  update: async (_id, _olds, news) => ({ outs: news }),
  delete: async () => {},
}`;

/** What is an Output here is a secret already. */
const secret = (value) => (pulumi.Output.isInstance(value) ? value : pulumi.secret(value));
const marked = (secrets) =>
  pulumi.Output.isInstance(secrets)
    ? secrets
    : Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, secret(value)]));

class Floor extends pulumi.CustomResource {
  constructor(name, { secrets, ...others }) {
    const text = `exports.handler = () => (${handlers});`;
    super("pulumi-nodejs:dynamic/bench:Floor", name, { ...others, secrets: marked(secrets), __provider: text });
  }
}

exports.id = new Floor("floor", declared()).id;
