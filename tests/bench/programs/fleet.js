"use strict";

const { readFileSync } = require("node:fs");
const previewenv = require("pulumi-previewenv");

const { repoName, isComponent, variables, secrets, branch } = JSON.parse(readFileSync("input.json", "utf8"));

module.exports = async () => {
  if (isComponent) {
    const each = () => ({ variableSets: { vars: { variables, secrets } } });
    new previewenv.PreviewEnvironments("open", { match: { repoName }, each });
    return;
  }
  const { environments } = await previewenv.getEnvironments({ repoName });
  for (const { id } of environments)
    if (branch === undefined) new previewenv.EnvVarSet(id, { environmentId: id, variables, secrets });
    else new previewenv.EnvironmentBranches(id, { environmentId: id, branches: { [repoName]: branch } });
};
