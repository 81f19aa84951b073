import * as z from "zod";
import { reportSchema } from "../../provider/src/drift/report-schema";

/** The JSON schema of the report of `previewenv-drift`. It allows properties that a later version may add. */
export function driftReportSchema(): string {
  const schema = z.toJSONSchema(reportSchema, {
    io: "input",
    // Arrays are read-only for the code alone.
    override: ({ jsonSchema }) => delete jsonSchema.readOnly,
  });
  return JSON.stringify({ title: "Report of previewenv-drift", ...schema });
}
