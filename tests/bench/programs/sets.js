"use strict";

const previewenv = require("pulumi-previewenv");
const { declared } = require("./declared");

const { secrets } = declared();

module.exports = async () => {
  const { environments } = await previewenv.getEnvironments({ repoName: "web" });
  for (const { id } of environments) new previewenv.EnvVarSet(id, { environmentId: id, secrets });
};
