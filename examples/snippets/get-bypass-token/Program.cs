using System.Collections.Generic;
using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var found = Preview.GetBypassToken.Invoke(new()
    {
        EnvironmentId = "11111111-1111-4111-8111-111111111142",
    });

    return new Dictionary<string, object?>
    {
        ["token"] = found.Apply(answer => answer.BypassToken),
    };
});
