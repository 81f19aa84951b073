"use strict";

const previewenv = require("pulumi-previewenv");
const { declared } = require("./declared");

const { secrets } = declared();

new previewenv.PreviewEnvironments("open", {
  match: { repoName: "web" },
  each: () => ({ variableSets: { vars: { secrets } } }),
});
