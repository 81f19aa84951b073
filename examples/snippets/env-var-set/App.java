import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.EnvVarSet;
import io.github.previewenv.previewenv.EnvVarSetArgs;
import java.util.List;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var config = ctx.config();
            new EnvVarSet("vars", EnvVarSetArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .variables(Map.of(
                    "LOG_LEVEL", "debug",
                    "FEATURE_CHECKOUT", "on"))
                .secrets(config.requireSecret("databaseUrl").applyValue(url -> Map.of("DATABASE_URL", url)))
                .services("web", "worker")
                .scopes(Map.of("FEATURE_CHECKOUT", List.of("web")))
                .build());
        });
    }
}
