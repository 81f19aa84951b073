"use strict";

const { readFileSync } = require("node:fs");
const previewenv = require("pulumi-previewenv");

const { shape, environmentId, variables, secrets } = JSON.parse(readFileSync("input.json", "utf8"));
if (shape === "set") new previewenv.EnvVarSet("vars", { environmentId, variables, secrets });
else
  for (const [entries, hidden] of [
    [variables, false],
    [secrets, true],
  ])
    for (const [name, value] of Object.entries(entries))
      new previewenv.EnvVar(name, { environmentId, name, value, hidden });
