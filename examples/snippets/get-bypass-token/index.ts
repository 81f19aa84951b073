import * as previewenv from "pulumi-previewenv";

const found = previewenv.getBypassTokenOutput({ environmentId: "11111111-1111-4111-8111-111111111142" });
export const token = found.bypassToken;
