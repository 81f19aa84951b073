import * as previewenv from "pulumi-previewenv";

// One for each environment of an open pull request of the repository `web`.
const previews = new previewenv.PreviewEnvironments("web", {
  match: { repoName: "web" },
  pullRequestsOnly: true,
  variableSets: {
    app: { variables: { LOG_LEVEL: "debug" }, variablesFrom: { PUBLIC_URL: "url", PR_NUMBER: "pullRequestNumber" } },
  },
});
export const urls = previews.environments.apply((all) => all.map(({ url }) => url));
