import * as previewenv from "pulumi-previewenv";

const vars = new previewenv.EnvVarSet("vars", {
  environmentId: "11111111-1111-4111-8111-111111111142",
  variables: { LOG_LEVEL: "debug" },
});
const branches = new previewenv.EnvironmentBranches("branches", {
  environmentId: vars.environmentId,
  branches: { web: "feature/checkout" },
  rebuildOn: [vars.revision], // one rebuild when variables changed and branches did not
});
export const url = branches.url;
