// The parts of undici that the provider uses. All of it, with fetch, WebSocket and mocks, takes four times as long to load.
"use strict";

// A tunnel through a proxy begins with this method, which undici's own index adds as well.
require("undici/lib/dispatcher/dispatcher.js").prototype.connect = require("undici/lib/api/api-connect.js");

module.exports = {
  Agent: require("undici/lib/dispatcher/agent.js"),
  EnvHttpProxyAgent: require("undici/lib/dispatcher/env-http-proxy-agent.js"),
};
