using System.IO;
using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var shop = Preview.VariablesFromDotenv.Invoke(new()
    {
        Text = File.ReadAllText("shop.env"),
    });
    new Preview.EnvVarSet("vars", new()
    {
        EnvironmentId = "11111111-1111-4111-8111-111111111142",
        // Readable, and named in a diff.
        Variables = { ["LOG_LEVEL"] = "debug" },
        Secrets = shop.Apply(answer => answer.Variables),
    });
});
