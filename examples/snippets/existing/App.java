import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.EnvVarSet;
import io.github.previewenv.previewenv.EnvVarSetArgs;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            new EnvVarSet("vars", EnvVarSetArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .variables(Map.of("LOG_LEVEL", "debug"))
                // Must be there; its value is the service's.
                .secrets(Map.of("SESSION_KEY", "previewenv:existing:v1"))
                .build());
        });
    }
}
