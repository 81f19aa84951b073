import * as previewenv from "pulumi-previewenv";

const found = previewenv.getEnvironmentOutput({ repoName: "web", pullRequestNumber: 42 });
export const url = found.url;
