import com.pulumi.Pulumi;
import io.github.previewenv.previewenv.SnapshotLoad;
import io.github.previewenv.previewenv.SnapshotLoadArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            new SnapshotLoad("data", SnapshotLoadArgs.builder()
                .environmentId("11111111-1111-4111-8111-111111111142")
                .sequenceNumber(7)
                .build());
        });
    }
}
