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

class Floor extends pulumi.CustomResource {
  constructor(name, args) {
    const text = `exports.handler = () => (${handlers});`;
    super("pulumi-nodejs:dynamic/bench:Floor", name, { ...args, __provider: text });
  }
}

exports.id = new Floor("floor", declared()).id;
