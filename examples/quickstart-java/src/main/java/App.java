import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.EnvVarSet;
import io.github.previewenv.previewenv.EnvVarSetArgs;
import io.github.previewenv.previewenv.EnvironmentBranches;
import io.github.previewenv.previewenv.EnvironmentBranchesArgs;
import io.github.previewenv.previewenv.PreviewenvFunctions;
import io.github.previewenv.previewenv.inputs.GetEnvironmentArgs;
import java.util.List;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            // The environment of pull request 42 of the repository `web`.
            var shop = PreviewenvFunctions.getEnvironment(GetEnvironmentArgs.builder()
                .repoName("web")
                .pullRequestNumber(42)
                .build());
            var databaseUrl = ctx.config().requireSecret("databaseUrl");

            var vars = new EnvVarSet("vars", EnvVarSetArgs.builder()
                .environmentId(shop.applyValue(environment -> environment.id()))
                .variables(Map.of("LOG_LEVEL", "debug", "FEATURE_CHECKOUT", "on")) // readable in the dashboard
                .secrets(databaseUrl.applyValue(url -> Map.of("DATABASE_URL", url))) // masked by the service, encrypted in state
                .services("web", "worker") // without this line: every service
                .build());

            var branches = new EnvironmentBranches("branches", EnvironmentBranchesArgs.builder()
                .environmentId(shop.applyValue(environment -> environment.id()))
                .branches(Map.of("web", "feature/checkout")) // repositories that are not named keep their branch
                .rebuildOn(vars.revision().applyValue(List::of)) // one rebuild when variables changed and branches did not
                .build());

            ctx.export("url", branches.url());
        });
    }
}
