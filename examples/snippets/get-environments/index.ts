import * as previewenv from "pulumi-previewenv";

const found = previewenv.getEnvironmentsOutput({ repoName: "web" });
export const environments = found.environments;
