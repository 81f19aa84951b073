import * as previewenv from "pulumi-previewenv";

const found = previewenv.getBuildHistoryOutput({ environmentId: "11111111-1111-4111-8111-111111111142", limit: 5 });
export const builds = found.builds;
