"use strict";

const { readFileSync } = require("node:fs");
const previewenv = require("pulumi-previewenv/native");

const { environmentId, secrets } = JSON.parse(readFileSync(process.env.BENCH_INPUT, "utf8"));
const set = new previewenv.EnvVarSet("vars", { environmentId, secrets });

exports.id = set.id;
