"use strict";

const { readFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");

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
    const secrets = Object.fromEntries(Object.entries(args.secrets).map(([key, value]) => [key, pulumi.secret(value)]));
    const props = { ...args, secrets, __provider: `exports.handler = () => (${handlers});` };
    super("pulumi-nodejs:dynamic/bench:Floor", name, props);
  }
}

const { environmentId, secrets } = JSON.parse(readFileSync(process.env.BENCH_INPUT, "utf8"));
const floor = new Floor("floor", { environmentId, secrets });

exports.id = floor.id;
