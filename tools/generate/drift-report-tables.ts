import * as z from "zod";
import { buildItemSchema, driftItemSchema, reportSchema, stackSchema } from "../../provider/src/drift/report-schema";
import { table } from "./reference/tables";

/** A field of the report, as JSON Schema has it. */
interface Field {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly anyOf?: readonly Field[] | undefined;
  readonly items?: Field | undefined;
  readonly valueDescriptions?: Readonly<Record<string, string>> | undefined;
}

const Field: z.ZodType<Field> = z.lazy(() =>
  z.looseObject({
    type: z.string().optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    anyOf: z.array(Field).optional(),
    items: Field.optional(),
    valueDescriptions: z.record(z.string(), z.string()).optional(),
  }),
);
const Fields = z.looseObject({ properties: z.record(z.string(), Field), required: z.array(z.string()) });

/** The part of docs/command-line.md about the JSON that the drift tool writes. */
export function driftReportTables(): readonly string[] {
  return [
    "## The report of drift as JSON",
    "",
    "`--format json` and `--output json=FILE` write one object. Its schema is in the package: " +
      "`pulumi-previewenv/drift-report.v1.schema.json`. A later version of the package may add fields. `version` is raised when " +
      "something changes its meaning.",
    "",
    ...fieldTable(reportSchema),
    "Each of `stacks`:",
    "",
    ...fieldTable(stackSchema),
    "Each of `drift` and `ignored`, one difference between the state of a stack and the service:",
    "",
    ...fieldTable(driftItemSchema),
    "Each of `builds`, a build that `--heal` started, or should have started, because of what it restored:",
    "",
    ...fieldTable(buildItemSchema),
  ];
}

function fieldTable(schema: z.ZodObject): readonly string[] {
  // A schema with an id would be a reference to itself.
  const { properties, required } = Fields.parse(z.toJSONSchema(z.object(schema.shape), { io: "input" }));
  return table(
    ["field", "type", "what it is"],
    Object.entries(properties).map(([name, field]) => [
      `\`${name}\``,
      typeOf(field),
      [textOf(name, field), required.includes(name) ? "" : "May be missing."].filter(Boolean).join(" "),
    ]),
  );
}

function textOf(name: string, { description, valueDescriptions = {} }: Field): string {
  if (description === undefined) throw new Error(`the field ${name} of the drift report has no description`);
  const values = Object.entries(valueDescriptions).map(([value, text]) => `\`${value}\`: ${text}`);
  return [description, ...values].join("<br>");
}

function typeOf({ type, enum: values, const: only, anyOf, items }: Field): string {
  if (values !== undefined) return values.map((one) => `\`${JSON.stringify(one)}\``).join(" or ");
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (items !== undefined) return `list of ${items.type === "string" ? "string" : "objects"}`;
  return type ?? "object";
}
