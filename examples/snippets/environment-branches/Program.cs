using System.Collections.Generic;
using Pulumi;
using Preview = Previewenv.PulumiPackage;

return await Deployment.RunAsync(() =>
{
    var vars = new Preview.EnvVarSet("vars", new()
    {
        EnvironmentId = "11111111-1111-4111-8111-111111111142",
        Variables = { ["LOG_LEVEL"] = "debug" },
    });
    var branches = new Preview.EnvironmentBranches("branches", new()
    {
        EnvironmentId = vars.EnvironmentId,
        Branches = { ["web"] = "feature/checkout" },
        // One rebuild when variables changed and branches did not.
        RebuildOn = { vars.Revision.Apply<object>(revision => revision) },
    });

    return new Dictionary<string, object?>
    {
        ["url"] = branches.Url,
    };
});
