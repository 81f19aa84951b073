import { escaped, replaceUnseen } from "../client/error-text";
import type { Adoption } from "./adoption";
import type { Wanted } from "./arguments";
import { howToTakeOver } from "./config-keys";

const INDENT = "  ";
/** A name that every compiler takes without quotes: which other letters it knows depends on its version of Unicode. */
const IDENTIFIER = /^[A-Z_a-z$][\w$]*$/u;
const STEPS_TO_TAKE_OVER = [
  "2. In its line, replace the call by the text after the //. At the top:",
  '   import * as pulumi from "@pulumi/pulumi";',
  "   const config = new pulumi.Config();",
];

/** Writes the program in TypeScript. */
export function writeTypeScript(adoption: Adoption, wanted: Wanted): string {
  const sections = [
    ['import * as previewenv from "pulumi-previewenv";'],
    header(adoption),
    environment(wanted),
    variables(adoption),
    branches(adoption),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function header({ title, leftOut }: Adoption): readonly string[] {
  return [
    `// ${title}, as pulumi-previewenv found it: the first \`pulumi up\``,
    "// writes nothing to the service and starts no build.",
    ...leftOut.map((text) => `// Not declared: ${text}.`),
  ];
}

function environment(wanted: Wanted): readonly string[] {
  if ("id" in wanted) return [`const environmentId = ${literal(wanted.id)};`];
  const filters = Object.entries(wanted.filters).map(([name, filter]) =>
    property(1, name, typeof filter === "string" ? literal(filter) : String(filter)),
  );
  return [
    "const environment = previewenv.getEnvironmentOutput({",
    ...filters,
    "});",
    "const environmentId = environment.id;",
  ];
}

function variables({ variables: visible, hidden, services, scopes }: Adoption): readonly string[] {
  return [
    'const vars = new previewenv.EnvVarSet("vars", {',
    `${INDENT}environmentId,`,
    ...map(
      "variables",
      Array.from(visible, ([name, value]) => property(2, name, literal(value))),
    ),
    ...howToTakeOver(hidden, STEPS_TO_TAKE_OVER).map((line) => `${INDENT}// ${line}`),
    ...map(
      "secrets",
      Array.from(
        hidden,
        ([name, configKey]) => `${property(2, name, "previewenv.existing()")} // config.requireSecret("${configKey}")`,
      ),
    ),
    ...(services.length > 0 ? [property(1, "services", list(services))] : []),
    ...map(
      "scopes",
      Array.from(scopes, ([name, own]) => property(2, name, list(own))),
    ),
    "});",
  ];
}

/** Without a branch there is nothing to declare. */
function branches({ branches: declared }: Adoption): readonly string[] {
  if (declared.size === 0) return [];
  const inner = INDENT.repeat(2);
  return [
    "const branches = new previewenv.EnvironmentBranches(",
    `${INDENT}"branches",`,
    `${INDENT}{`,
    `${inner}environmentId,`,
    `${inner}branches: {`,
    ...Array.from(declared, ([repoName, branch]) => property(3, repoName, literal(branch))),
    `${inner}},`,
    `${inner}// Rebuilds when a variable changes. Adding this line causes one rebuild.`,
    `${inner}// rebuildOn: [vars.revision],`,
    `${INDENT}},`,
    `${INDENT}{ dependsOn: [vars] },`,
    ");",
    "",
    "export const url = branches.url;",
  ];
}

function map(name: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${INDENT}${name}: {`, ...lines, `${INDENT}},`];
}

/** A property on a line of its own. `value` is written as code. */
function property(depth: number, name: string, value: string): string {
  return `${INDENT.repeat(depth)}${IDENTIFIER.test(name) ? name : literal(name)}: ${value},`;
}

function list(texts: readonly string[]): string {
  return `[${texts.map(literal).join(", ")}]`;
}

/** A string literal: everything that nobody would see is escaped, so that what is read is what is declared. */
function literal(text: string): string {
  return replaceUnseen(JSON.stringify(text), escaped);
}
