import { USAGE as adopt } from "../../provider/src/adopt/usage";
import { formOf, type Option, sentencesOf, type Usage } from "../../provider/src/command/usage";
import { USAGE as drift } from "../../provider/src/drift/usage";
import { USAGE as sandbox } from "../../provider/src/sandbox/usage";
import * as z from "zod";
import { reportSchema } from "../../provider/src/drift/report-schema";
import { descriptionOf, Shape } from "./properties";
import { table } from "./reference/tables";

/** `docs/command-line.md`: the commands of the package, with the options that `--help` shows, and the drift report. */
export function commandLine(): string {
  const blocks = [
    "# On the command line",
    "`npx pulumi-previewenv COMMAND` runs a command, even if the package is not installed. `--help` shows its options. `npx pulumi-previewenv " +
      "--version` shows the version of the package.",
    table(
      ["command", "what it does"],
      usages.map(({ name, summary }) => [`[\`${name}\`](#${name})`, summary]),
    ),
    ...usages.flatMap(section),
    "## The report of drift as JSON",
    "`--format json` and `--output json=FILE` write one object. [Its schema](../provider/drift-report.v1.schema.json) describes every field. Programs " +
      "import the schema as `pulumi-previewenv/drift-report.v1.schema.json`. A later version of the package may add fields.",
  ];
  return `${blocks.join("\n\n")}\n`;
}

const usages: readonly Usage[] = [drift, adopt, sandbox];

function section({ name, summary, argument, options, notes, exitCodes }: Usage): readonly string[] {
  const all = Object.entries(options);
  const headingOf = ({ group = "Options" }: Option): string => group;
  const headings = [...new Set(all.map(([, option]) => headingOf(option)))];
  const form = argument === undefined ? "" : ` [${argument.name}]`;
  return [
    `## ${name}`,
    summary,
    `<!-- not run: the form of a call -->\n\`\`\`\nnpx pulumi-previewenv ${name} [options]${form}\n\`\`\``,
    ...(argument === undefined ? [] : [`\`${argument.name}\`: ${argument.text}`]),
    ...headings.flatMap((heading) => [
      `${heading}:`,
      optionTable(all.filter(([, option]) => headingOf(option) === heading)),
    ]),
    ...notes,
    table(
      ["exit code", "meaning"],
      exitCodes.map(([code, text]) => [String(code), text]),
    ),
  ];
}

function optionTable(options: readonly (readonly [name: string, option: Option])[]): string {
  return table(
    ["option", "what it does"],
    options.map(([name, option]) => {
      const fallback = option.default === undefined ? "" : ` Default: \`${option.default}\`.`;
      return [`\`${formOf(name, option)}\``, `${sentencesOf(option)}${fallback}`];
    }),
  );
}

/** The JSON schema of the report of the drift tool. It allows properties that a later version may add. */
export function driftReportSchema(): string {
  const schema = z.toJSONSchema(reportSchema, {
    io: "input",
    override: ({ jsonSchema, path }) => {
      // Arrays are read-only for the code alone.
      delete jsonSchema.readOnly;
      // JSON Schema has no place for what each value of an enum means. `describe` makes another schema of the one that it describes.
      if (jsonSchema["valueDescriptions"] === undefined || jsonSchema.description === undefined) return;
      jsonSchema.description = descriptionOf({ name: path.join("."), shape: Shape.parse(jsonSchema) });
      delete jsonSchema["valueDescriptions"];
    },
  });
  return JSON.stringify({ title: "Report of pulumi-previewenv drift", ...schema });
}
