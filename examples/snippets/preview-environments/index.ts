import * as previewenv from "pulumi-previewenv";

// One for each environment of an open pull request of the repository `web`.
const previews = new previewenv.PreviewEnvironments("web", {
  match: { repoName: "web" },
  exclude: ({ projects }) => projects.every(({ pullRequestNumber }) => pullRequestNumber === undefined),
  each: ({ url }) => ({ variableSets: { app: { variables: { LOG_LEVEL: "debug", PUBLIC_URL: url } } } }),
});
export const urls = previews.environments.apply((all) => all.map(({ url }) => url));
