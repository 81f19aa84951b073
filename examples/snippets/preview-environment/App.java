import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.PreviewEnvironment;
import io.github.previewenv.previewenv.PreviewEnvironmentArgs;
import io.github.previewenv.previewenv.inputs.PreviewEnvironmentEnvironmentArgs;
import io.github.previewenv.previewenv.inputs.PreviewEnvironmentVariableSetArgs;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var config = ctx.config();
            var shop = new PreviewEnvironment("shop", PreviewEnvironmentArgs.builder()
                .environment(PreviewEnvironmentEnvironmentArgs.builder()
                    .repoName("web")
                    .pullRequestNumber(42)
                    .build())
                .variableSets(Map.of(
                    "app", PreviewEnvironmentVariableSetArgs.builder()
                        .variables(Map.of("LOG_LEVEL", "debug"))
                        .build(),
                    "database", PreviewEnvironmentVariableSetArgs.builder()
                        .secrets(config.requireSecret("databaseUrl").applyValue(url -> Map.of("DATABASE_URL", url)))
                        .build()))
                // Written after the variables, so that one build has both.
                .branches(Map.of("web", "feature/checkout"))
                .build());
            ctx.export("url", shop.url());
        });
    }
}
