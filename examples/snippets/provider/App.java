import com.pulumi.Pulumi;
import com.pulumi.resources.CustomResourceOptions;
import io.github.previewenv.previewenv.EnvVarSet;
import io.github.previewenv.previewenv.EnvVarSetArgs;
import io.github.previewenv.previewenv.Provider;
import io.github.previewenv.previewenv.ProviderArgs;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var config = ctx.config();
            var second = new Provider("second", ProviderArgs.builder()
                .apiToken(config.requireSecret("secondToken"))
                .build());
            new EnvVarSet("vars", EnvVarSetArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .variables(Map.of("LOG_LEVEL", "debug"))
                .build(), CustomResourceOptions.builder().provider(second).build());
        });
    }
}
