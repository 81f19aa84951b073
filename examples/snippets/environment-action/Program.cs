using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var rebuild = new Preview.EnvironmentAction("rebuild", new()
    {
        EnvironmentId = "11111111-1111-4111-8111-111111111142",
        Action = Preview.Action.Rebuild,
        // Another image: another rebuild.
        Triggers = { ["image"] = "registry.example.com/shop:2.4.1" },
    });
});
