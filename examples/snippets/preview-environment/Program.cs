using System.Collections.Generic;
using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var config = new Config();
    var shop = new Preview.PreviewEnvironment("shop", new()
    {
        Environment = new() { RepoName = "web", PullRequestNumber = 42 },
        VariableSets =
        {
            ["app"] = new() { Variables = { ["LOG_LEVEL"] = "debug" } },
            ["database"] = new() { Secrets = { ["DATABASE_URL"] = config.RequireSecret("databaseUrl") } },
        },
        // Written after the variables, so that one build has both.
        Branches = { ["web"] = "feature/checkout" },
    });

    return new Dictionary<string, object?>
    {
        ["url"] = shop.Url,
    };
});
