using System.Collections.Generic;
using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var found = Preview.GetEnvironments.Invoke(new()
    {
        RepoName = "web",
    });

    return new Dictionary<string, object?>
    {
        ["environments"] = found.Apply(answer => answer.Environments),
    };
});
