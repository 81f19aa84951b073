import * as previewenv from "pulumi-previewenv/native";

const found = previewenv.getEnvironmentsOutput({ repoName: "web" });
export const environments = found.environments;
