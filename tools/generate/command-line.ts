import { USAGE as adopt } from "../../provider/src/adopt/usage";
import { formOf, type Option, sentencesOf, type Usage } from "../../provider/src/command/usage";
import { USAGE as drift } from "../../provider/src/drift/usage";
import { USAGE as sandbox } from "../../provider/src/sandbox/usage";
import { driftReportTables } from "./drift-report";
import { table } from "./reference/tables";

/** `docs/command-line.md`: the commands of the package, with the options that `--help` shows, and the drift report. */
export function commandLine(): string {
  return [
    "# On the command line",
    "",
    "`npx pulumi-previewenv COMMAND` runs a command of the package, whether the package is installed or not. `--help` or `-h` shows " +
      "the options of a command, and `npx pulumi-previewenv --version` the version of the package.",
    "",
    ...table(
      ["command", "what it does"],
      usages.map(({ name, summary }) => [`[\`${name}\`](#${name})`, summary]),
    ),
    ...usages.flatMap(section),
    ...driftReportTables(),
  ].join("\n");
}

const usages: readonly Usage[] = [drift, adopt, sandbox];

function section({ name, summary, argument, options, notes, exitCodes }: Usage): readonly string[] {
  const all = Object.entries(options);
  const headingOf = ({ group = "Options" }: Option): string => group;
  const headings = [...new Set(all.map(([, option]) => headingOf(option)))];
  return [
    `## ${name}`,
    "",
    summary,
    "",
    "<!-- not run: the form of a call -->",
    "```",
    ["npx pulumi-previewenv", name, "[options]", ...(argument === undefined ? [] : [`[${argument.name}]`])].join(" "),
    "```",
    "",
    ...(argument === undefined ? [] : [`\`${argument.name}\`: ${argument.text}`, ""]),
    ...headings.flatMap((heading) => [
      `${heading}:`,
      "",
      ...optionTable(all.filter(([, option]) => headingOf(option) === heading)),
    ]),
    ...notes.flatMap((note) => [note, ""]),
    ...table(
      ["exit code", "meaning"],
      exitCodes.map(([code, text]) => [String(code), text]),
    ),
  ];
}

function optionTable(options: readonly (readonly [name: string, option: Option])[]): readonly string[] {
  return table(
    ["option", "what it does"],
    options.map(([name, option]) => {
      const fallback = option.default === undefined ? "" : ` Default: \`${option.default}\`.`;
      return [`\`${formOf(name, option)}\``, `${sentencesOf(option)}${fallback}`];
    }),
  );
}
