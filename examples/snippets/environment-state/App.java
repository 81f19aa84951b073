import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.EnvironmentState;
import io.github.previewenv.previewenv.EnvironmentStateArgs;
import io.github.previewenv.previewenv.enums.State;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            new EnvironmentState("awake", EnvironmentStateArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .state(State.Running)
                .build());
        });
    }
}
