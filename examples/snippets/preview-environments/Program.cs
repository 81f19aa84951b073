using System.Collections.Generic;
using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    // One for each environment of an open pull request of the repository `web`.
    var previews = new Preview.PreviewEnvironments("web", new()
    {
        Match = new() { RepoName = "web" },
        PullRequestsOnly = true,
        VariableSets =
        {
            ["app"] = new()
            {
                Variables = { ["LOG_LEVEL"] = "debug" },
                VariablesFrom =
                {
                    ["PUBLIC_URL"] = Preview.VariablesFrom.Url,
                    ["PR_NUMBER"] = Preview.VariablesFrom.PullRequestNumber,
                },
            },
        },
    });

    return new Dictionary<string, object?>
    {
        ["environments"] = previews.Environments,
    };
});
