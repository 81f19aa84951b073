import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.PreviewEnvironment;
import io.github.previewenv.previewenv.PreviewEnvironmentArgs;
import io.github.previewenv.previewenv.PreviewenvFunctions;
import io.github.previewenv.previewenv.enums.WhenStopped;
import io.github.previewenv.previewenv.inputs.GetEnvironmentsPlainArgs;
import io.github.previewenv.previewenv.inputs.PreviewEnvironmentEnvironmentArgs;
import io.github.previewenv.previewenv.inputs.PreviewEnvironmentVariableSetArgs;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            // The variables of each environment of the repository `web`.
            var found = PreviewenvFunctions.getEnvironmentsPlain(GetEnvironmentsPlainArgs.builder()
                .repoName("web")
                .complete(true)
                .build()).join();
            for (var environment : found.environments()) {
                new PreviewEnvironment(environment.id(), PreviewEnvironmentArgs.builder()
                    .environment(PreviewEnvironmentEnvironmentArgs.builder()
                        .id(environment.id())
                        .name(environment.name())
                        .url(environment.url())
                        .build())
                    .variableSets(Map.of("app", PreviewEnvironmentVariableSetArgs.builder()
                        .variables(Map.of("ENVIRONMENT", environment.name()))
                        .build()))
                    .whenStopped(WhenStopped.Skip)
                    .build());
            }
        });
    }
}
