import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.EnvVarSet;
import io.github.previewenv.previewenv.EnvVarSetArgs;
import io.github.previewenv.previewenv.EnvironmentBranches;
import io.github.previewenv.previewenv.EnvironmentBranchesArgs;
import java.util.List;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var vars = new EnvVarSet("vars", EnvVarSetArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .variables(Map.of("LOG_LEVEL", "debug"))
                .build());
            var branches = new EnvironmentBranches("branches", EnvironmentBranchesArgs.builder()
                .environmentId(vars.environmentId())
                .branches(Map.of("web", "feature/checkout"))
                // One rebuild when variables changed and branches did not.
                .rebuildOn(vars.revision().applyValue(List::of))
                .build());
            ctx.export("url", branches.url());
        });
    }
}
