using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var vars = new Preview.EnvVarSet("vars", new()
    {
        EnvironmentId = "11111111-1111-4111-8111-111111111142",
        Variables = { ["LOG_LEVEL"] = "debug" },
        // Must be there; its value is the service's.
        Secrets = { ["SESSION_KEY"] = "previewenv:existing:v1" },
    });
});
