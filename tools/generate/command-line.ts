import { USAGE as adopt } from "../../provider/src/adopt/usage";
import { formOf, type Option, sentencesOf, type Usage } from "../../provider/src/command/usage";
import { USAGE as drift } from "../../provider/src/drift/usage";
import { USAGE as sandbox } from "../../provider/src/sandbox/usage";
import { driftReportTables } from "./drift-report-tables";
import { table } from "./reference/tables";

/** `docs/command-line.md`: the commands of the package, with the options that `--help` shows, and the drift report. */
export function commandLine(): string {
  return [
    "# On the command line",
    "",
    "The package `pulumi-previewenv` brings three commands. Where it is installed, `npx previewenv-drift` starts one of them; " +
      "elsewhere, `npx --package pulumi-previewenv previewenv-drift` does. Each shows its options with `--help` or `-h`, and the " +
      "version of the package with `--version`.",
    "",
    ...table(
      ["command", "what it does"],
      usages.map(({ name, summary }) => [`[\`${name}\`](#${name})`, upper(summary)]),
    ),
    ...usages.flatMap(section),
    ...driftReportTables(),
  ].join("\n");
}

const usages: readonly Usage[] = [drift, adopt, sandbox];

function section({ name, summary, calls, groups, notes, exitCodes }: Usage): readonly string[] {
  return [
    `## ${name}`,
    "",
    upper(summary),
    "",
    "<!-- not run: the forms of a call -->",
    "```",
    ...calls.map((call) => `${name} ${call}`),
    "```",
    "",
    ...Object.entries(groups).flatMap(([heading, options]) => [`${heading}:`, "", ...optionTable(options)]),
    ...notes.flatMap((note) => [note, ""]),
    ...table(
      ["exit code", "meaning"],
      exitCodes.map(([code, text]) => [String(code), text]),
    ),
  ];
}

function optionTable(options: Readonly<Record<string, Option>>): readonly string[] {
  return table(
    ["option", "what it does"],
    Object.entries(options).map(([name, option]) => [`\`${formOf(name, option.value)}\``, sentencesOf(option)]),
  );
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
