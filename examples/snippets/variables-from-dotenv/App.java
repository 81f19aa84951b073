import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.EnvVarSet;
import io.github.previewenv.previewenv.EnvVarSetArgs;
import io.github.previewenv.previewenv.PreviewenvFunctions;
import io.github.previewenv.previewenv.inputs.VariablesFromDotenvArgs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

public class App {
    public static void main(String[] args) throws IOException {
        var text = Files.readString(Path.of("shop.env"));
        Pulumi.run(ctx -> {
            var shop = PreviewenvFunctions.variablesFromDotenv(VariablesFromDotenvArgs.builder()
                .text(text)
                .build());
            new EnvVarSet("vars", EnvVarSetArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                // Readable, and named in a diff.
                .variables(Map.of("LOG_LEVEL", "debug"))
                .secrets(shop.applyValue(answer -> answer.variables()))
                .build());
        });
    }
}
