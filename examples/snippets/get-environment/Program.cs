using System.Collections.Generic;
using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var found = Preview.GetEnvironment.Invoke(new()
    {
        RepoName = "web",
        PullRequestNumber = 42,
    });

    return new Dictionary<string, object?>
    {
        ["url"] = found.Apply(answer => answer.Url),
    };
});
