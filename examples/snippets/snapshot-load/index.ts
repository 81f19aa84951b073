import * as previewenv from "pulumi-previewenv";

new previewenv.SnapshotLoad("data", {
  environmentId: "11111111-1111-4111-8111-111111111142",
  sequenceNumber: 7,
});
