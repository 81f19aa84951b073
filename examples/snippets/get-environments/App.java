import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.PreviewenvFunctions;
import io.github.previewenv.previewenv.inputs.GetEnvironmentsArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var found = PreviewenvFunctions.getEnvironments(GetEnvironmentsArgs.builder()
                .repoName("web")
                .build());
            ctx.export("environments", found.applyValue(answer -> answer.environments()));
        });
    }
}
