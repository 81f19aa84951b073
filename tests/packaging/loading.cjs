"use strict";

// loading.cjs PART CHECKOUT: prints as JSON which files of the built package are loaded, moment by moment.
const { createServer } = require("node:http");
const { createRequire } = require("node:module");
const path = require("node:path");

const [, , part, root] = process.argv;
const ENVIRONMENT = "11111111-1111-4111-8111-111111111142";
const VARS = { environmentId: ENVIRONMENT, variables: { PORT: "8080" } };
const fromRoot = createRequire(path.join(root, "package.json"));
const moments = {};
let known;

const begin = () => (known = new Set(Object.keys(require.cache)));
const note = (moment) => (moments[moment] = Object.keys(require.cache).filter((file) => !known.has(file)));
const end = () => process.stdout.write(JSON.stringify(moments), () => process.exit());

/** A service that has one environment without variables. */
const service = async () => {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    request.resume().on("end", () => response.end(JSON.stringify({ data: [], links: {} })));
  });
  await new Promise((settle) => server.listen(0, "127.0.0.1", settle));
  return `http://127.0.0.1:${server.address().port}`;
};

const dynamic = async () => {
  // What Pulumi's process for dynamic providers has loaded.
  fromRoot("@pulumi/pulumi");
  fromRoot("@pulumi/pulumi/proto/provider_grpc_pb");
  begin();
  const provider = fromRoot("./dist/dynamic/index.js").provider("EnvVarSet");
  const settings = { "previewenv:baseUrl": await service(), "previewenv:apiToken": "token" };
  await provider.configure({ config: { get: (name) => settings[name] } });
  const { inputs, failures } = await provider.check({}, VARS);
  if (failures.length > 0) throw new Error(failures[0].reason);
  note("dynamicCheck");
  // What this service answers is no answer to a write: it counts that requests were made.
  await provider.create(inputs).catch(() => undefined);
  note("dynamicRequest");
  end();
};

const plugin = () => {
  begin();
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => {
    process.stdout.write = write;
    note("pluginPort");
    end();
    return true;
  };
  process.argv.splice(2);
  fromRoot("./dist/plugin/start.cjs");
};

void { dynamic, plugin }[part]();
