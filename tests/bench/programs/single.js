"use strict";

const previewenv = require("pulumi-previewenv");
const { declared } = require("./declared");

const { environmentId, secrets } = declared();
const variables = Object.entries(secrets).map(
  ([name, value]) => new previewenv.EnvVar(name, { environmentId, name, value }),
);

exports.ids = variables.map(({ id }) => id);
