using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var data = new Preview.SnapshotLoad("data", new()
    {
        EnvironmentId = "11111111-1111-4111-8111-111111111142",
        SequenceNumber = 7,
    });
});
