using System.Collections.Immutable;
using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var config = new Config();
    var vars = new Preview.EnvVarSet("vars", new()
    {
        EnvironmentId = "11111111-1111-4111-8111-111111111142",
        Variables =
        {
            ["LOG_LEVEL"] = "debug",
            ["FEATURE_CHECKOUT"] = "on",
        },
        Secrets =
        {
            ["DATABASE_URL"] = config.RequireSecret("databaseUrl"),
        },
        Services = { "web", "worker" },
        Scopes =
        {
            ["FEATURE_CHECKOUT"] = ImmutableArray.Create("web"),
        },
    });
});
