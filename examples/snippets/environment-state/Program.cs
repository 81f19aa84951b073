using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var awake = new Preview.EnvironmentState("awake", new()
    {
        EnvironmentId = "11111111-1111-4111-8111-111111111142",
        State = Preview.State.Running,
    });
});
