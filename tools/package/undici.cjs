// What the provider uses of undici: the agent for proxies. All of undici, with fetch, WebSocket and mocks, takes four times as
// long to load.
"use strict";

// A tunnel through a proxy begins with this method, which undici's own index adds as well.
require("undici/lib/dispatcher/dispatcher.js").prototype.connect = require("undici/lib/api/api-connect.js");

module.exports = { EnvHttpProxyAgent: require("undici/lib/dispatcher/env-http-proxy-agent.js") };
