import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.PreviewenvFunctions;
import io.github.previewenv.previewenv.inputs.GetBypassTokenArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var found = PreviewenvFunctions.getBypassToken(GetBypassTokenArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .build());
            ctx.export("token", found.applyValue(answer -> answer.bypassToken()));
        });
    }
}
