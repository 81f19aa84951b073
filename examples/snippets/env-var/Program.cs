using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var config = new Config();
    var databaseUrl = new Preview.EnvVar("database-url", new()
    {
        EnvironmentId = "11111111-1111-4111-8111-111111111142",
        Name = "DATABASE_URL",
        Value = config.RequireSecret("databaseUrl"),
    });
});
