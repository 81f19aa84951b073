import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.PreviewEnvironments;
import io.github.previewenv.previewenv.PreviewEnvironmentsArgs;
import io.github.previewenv.previewenv.enums.VariablesFrom;
import io.github.previewenv.previewenv.inputs.PreviewEnvironmentsMatchArgs;
import io.github.previewenv.previewenv.inputs.PreviewEnvironmentsVariableSetArgs;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            // One for each environment of an open pull request of the repository `web`.
            var previews = new PreviewEnvironments("web", PreviewEnvironmentsArgs.builder()
                .match(PreviewEnvironmentsMatchArgs.builder().repoName("web").build())
                .pullRequestsOnly(true)
                .variableSets(Map.of(
                    "app", PreviewEnvironmentsVariableSetArgs.builder()
                        .variables(Map.of("LOG_LEVEL", "debug"))
                        .variablesFrom(Map.of(
                            "PUBLIC_URL", VariablesFrom.Url,
                            "PR_NUMBER", VariablesFrom.PullRequestNumber))
                        .build()))
                .build());
            ctx.export("environments", previews.environments());
        });
    }
}
