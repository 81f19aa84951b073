"use strict";

const { readFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");

/** How it is mostly written without a provider: an inline dynamic provider, one resource for each variable. */
const provider = {
  async diff(_id, olds, news) {
    const replaces = ["environmentId", "name"].filter((key) => olds[key] !== news[key]);
    return { changes: replaces.length > 0 || olds.value !== news.value, replaces };
  },
  async create(inputs) {
    await provider.put(inputs);
    return { id: `${inputs.environmentId}/${inputs.name}`, outs: inputs };
  },
  async read(id, props) {
    const response = await provider.send("GET", `${props.environmentId}/env-vars`);
    const { data } = await response.json();
    return data.some(({ attributes }) => attributes.name === props.name) ? { id, props } : {};
  },
  async update(_id, _olds, news) {
    await provider.put(news);
    return { outs: news };
  },
  async delete(_id, props) {
    await provider.send("DELETE", `${props.environmentId}/env-vars/${encodeURIComponent(props.name)}`);
  },
  async put({ environmentId, name, value }) {
    await provider.send("PUT", `${environmentId}/env-vars`, { env_vars: [{ name, value, hidden: true }] });
  },
  async send(method, path, body) {
    const url = `${process.env.PREVIEWENV_BASE_URL}/api/v1/environment/${path}`;
    const headers = { "x-api-token": process.env.PREVIEWENV_API_TOKEN, "content-type": "application/json" };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url, { method, headers, ...content });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return response;
  },
};

class EnvVar extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super(provider, name, args);
  }
}

const { environmentId, secrets } = JSON.parse(readFileSync(process.env.BENCH_INPUT, "utf8"));
const variables = Object.entries(secrets).map(
  ([name, value]) => new EnvVar(name, { environmentId, name, value: pulumi.secret(value) }),
);

exports.ids = variables.map(({ id }) => id);
