import * as z from "zod";
import { reportSchema } from "../../provider/src/drift/report-schema";

const Described = z.looseObject({ description: z.string(), valueDescriptions: z.record(z.string(), z.string()) });

/** The JSON schema of the report of the drift tool. It allows properties that a later version may add. */
export function driftReportSchema(): string {
  const schema = z.toJSONSchema(reportSchema, {
    io: "input",
    // Arrays are read-only for the code alone.
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
      describeValues(jsonSchema);
    },
  });
  return JSON.stringify({ title: "Report of pulumi-previewenv drift", ...schema });
}

/** JSON Schema has no place for what each value of an enum means: the description says it. */
function describeValues(schema: z.core.JSONSchema.BaseSchema): void {
  const { data } = Described.safeParse(schema);
  if (data === undefined) return;
  const values = Object.entries(data.valueDescriptions).map(([value, text]) => `\`${value}\`: ${text}`);
  schema.description = [data.description, ...values].join(" ");
  delete schema["valueDescriptions"];
}
