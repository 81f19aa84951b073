import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.PreviewenvFunctions;
import io.github.previewenv.previewenv.inputs.GetEnvVarsArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var found = PreviewenvFunctions.getEnvVars(GetEnvVarsArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .build());
            ctx.export("variables", found.applyValue(answer -> answer.variables()));
        });
    }
}
