using System.Collections.Generic;
using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var config = new Config();

    // The environment of pull request 42 of the repository `web`.
    var shop = Preview.GetEnvironment.Invoke(new() { RepoName = "web", PullRequestNumber = 42 });

    var vars = new Preview.EnvVarSet("vars", new()
    {
        EnvironmentId = shop.Apply(environment => environment.Id),
        Variables = { ["LOG_LEVEL"] = "debug", ["FEATURE_CHECKOUT"] = "on" }, // readable in the dashboard
        Secrets = { ["DATABASE_URL"] = config.RequireSecret("databaseUrl") }, // masked by the service, encrypted in state
        Services = { "web", "worker" }, // without this line: every service
    });

    var branches = new Preview.EnvironmentBranches("branches", new()
    {
        EnvironmentId = shop.Apply(environment => environment.Id),
        Branches = { ["web"] = "feature/checkout" }, // repositories that are not named keep their branch
        // One rebuild when variables changed and branches did not.
        RebuildOn = { vars.Revision.Apply<object>(revision => revision) },
    });

    return new Dictionary<string, object?>
    {
        ["url"] = branches.Url,
    };
});
