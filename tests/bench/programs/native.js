"use strict";

const previewenv = require("pulumi-previewenv/native");
const { declared } = require("./declared");

exports.id = new previewenv.EnvVarSet("vars", declared()).id;
