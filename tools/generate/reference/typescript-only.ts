import { example } from "./example";
import { table } from "./tables";
import { type Member, type Written, writtenDeclarations } from "./written";

/** What TypeScript programs have beside the resources and functions of all languages, from its doc comments. */
export function typescriptOnly() {
  const written = writtenDeclarations();
  const { previewEnvironments, previewEnvironmentsArgs, variablesFromDotenv, dotenvOptions, existing, provider } =
    written;
  return {
    previewEnvironments: [
      ...begin(previewEnvironments, "Only in TypeScript: it calls functions of the program."),
      "### Arguments",
      "",
      ...memberTable(previewEnvironmentsArgs.members, "required"),
      ...written.previewEnvironmentsTypes.flatMap(({ name, description }) => [`\`${name}\`: ${description}`, ""]),
      "### Outputs",
      "",
      ...table(
        ["name", "type", "what it is"],
        [["`environments`", "list of objects", "The environments that are declared, sorted by name."]],
      ),
      "Each of `environments`:",
      "",
      ...memberTable(written.previewEnvironmentsEnvironment.members),
    ],
    provider: [
      ...begin(provider),
      "Its arguments are the [settings](#settings), by the names after `previewenv:`. None is required.",
      "",
    ],
    existing: [...begin(existing), "### Result", "", `${upper(existing.tags.get("returns") ?? "")}.`, ""],
    variablesFromDotenv: [
      ...begin(variablesFromDotenv, "Only in TypeScript."),
      "### Arguments",
      "",
      ...table(
        ["name", "type", "required", "what it is"],
        [
          ["`source`", "string or `{path}` or `{text}`", "yes", written.dotenvSource.description],
          ...dotenvOptions.members.map(({ name, type, description }) => [
            `\`options.${name}\``,
            code(type),
            "no",
            description,
          ]),
        ],
      ),
      "### Result",
      "",
      ...memberTable(written.dotenvVariables.members),
    ],
  } as const;
}

function begin({ name, description }: Written, remark = ""): readonly string[] {
  return [`## ${name}`, "", [description, remark].filter((one) => one !== "").join(" "), "", ...example(name)];
}

function memberTable(members: readonly Member[], required?: "required"): readonly string[] {
  const head = ["name", "type", ...(required ? [required] : []), "what it is"];
  return table(
    head,
    members.map((member) => [
      `\`${member.name}\``,
      code(member.type),
      ...(required ? [member.required ? "yes" : "no"] : []),
      required || member.required ? member.description : `${member.description} May be missing.`,
    ]),
  );
}

function code(type: string): string {
  return `\`${type
    .replaceAll(/^readonly /gu, "")
    .replaceAll(" | ", "` or `")
    .replaceAll("readonly ", "")}\``;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
