import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.PreviewenvFunctions;
import io.github.previewenv.previewenv.inputs.GetEnvironmentArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var found = PreviewenvFunctions.getEnvironment(GetEnvironmentArgs.builder()
                .repoName("web")
                .pullRequestNumber(42)
                .build());
            ctx.export("url", found.applyValue(answer -> answer.url()));
        });
    }
}
