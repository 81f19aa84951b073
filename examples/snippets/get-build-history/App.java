import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.PreviewenvFunctions;
import io.github.previewenv.previewenv.inputs.GetBuildHistoryArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var found = PreviewenvFunctions.getBuildHistory(GetBuildHistoryArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .limit(5)
                .build());
            ctx.export("builds", found.applyValue(answer -> answer.builds()));
        });
    }
}
