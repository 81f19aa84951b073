using System.Collections.Generic;
using System.Linq;
using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(async () =>
{
    // The variables of each environment of the repository `web`.
    var found = await Preview.GetEnvironments.InvokeAsync(new() { RepoName = "web", Complete = true });
    foreach (var environment in found.Environments)
    {
        new Preview.PreviewEnvironment(environment.Id, new()
        {
            Environment = new() { Id = environment.Id, Name = environment.Name, Url = environment.Url },
            VariableSets = { ["app"] = new() { Variables = { ["ENVIRONMENT"] = environment.Name } } },
            WhenStopped = Preview.WhenStopped.Skip,
        });
    }

    return new Dictionary<string, object?>
    {
        ["names"] = found.Environments.Select(environment => environment.Name).ToArray(),
    };
});
