"use strict";

const { declared, Least } = require("./declared");

const { environmentId, secrets } = declared();
const variables = Object.entries(secrets).map(([name, value]) => new Least(name, { environmentId, name, value }));

exports.ids = variables.map(({ id }) => id);
