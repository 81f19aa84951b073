using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var config = new Config();
    var second = new Preview.Provider("second", new()
    {
        ApiToken = config.RequireSecret("secondToken"),
    });
    var vars = new Preview.EnvVarSet("vars", new()
    {
        EnvironmentId = "11111111-1111-4111-8111-111111111142",
        Variables = { ["LOG_LEVEL"] = "debug" },
    }, new() { Provider = second });
});
