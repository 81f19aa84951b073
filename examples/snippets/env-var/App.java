import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.EnvVar;
import io.github.previewenv.previewenv.EnvVarArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var config = ctx.config();
            new EnvVar("database-url", EnvVarArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .name("DATABASE_URL")
                .value(config.requireSecret("databaseUrl"))
                .build());
        });
    }
}
