import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.EnvironmentAction;
import io.github.previewenv.previewenv.EnvironmentActionArgs;
import io.github.previewenv.previewenv.enums.Action;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            new EnvironmentAction("rebuild", EnvironmentActionArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .action(Action.Rebuild)
                // Another image: another rebuild.
                .triggers(Map.of("image", "registry.example.com/shop:2.4.1"))
                .build());
        });
    }
}
