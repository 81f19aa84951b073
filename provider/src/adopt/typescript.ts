import { replaceUnseen } from "../client/error-text";
import type { Adoption } from "./adoption";
import type { Wanted } from "./arguments";
import { howToTakeOver } from "./config-keys";

/** As formatters leave it by default. */
const MAX_WIDTH = 80;
const INDENT = "  ";
/** Formatters put no value on a line of its own when little would be gained: behind a name of fewer characters. */
const MIN_NAME_BEFORE_BREAK = 5;
/** A name that every compiler takes without quotes: which other letters it knows depends on its version of Unicode. */
const IDENTIFIER = /^[A-Z_a-z$][\w$]*$/u;
const HEXADECIMAL = 16;
const CODE_UNIT_DIGITS = 4;
const STEPS_TO_TAKE_OVER = [
  "2. In its line, write the text after the // in place of the call. At the top:",
  '   import * as pulumi from "@pulumi/pulumi";',
  "   const config = new pulumi.Config();",
];

/** Writes the program in TypeScript, as formatters leave it. */
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
    ...leftOut.map(({ what, reason }) => `// Not declared: ${what}, because it ${reason}.`),
  ];
}

function environment(wanted: Wanted): readonly string[] {
  if ("id" in wanted) return [`const environmentId = ${literal(wanted.id)};`];
  const filters = Object.entries(wanted.filters).map(([name, filter]) =>
    typeof filter === "string" ? property(name, filter, 1) : `${INDENT}${name}: ${String(filter)},`,
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
      [...visible].map(([name, value]) => property(name, value, 2)),
    ),
    ...howToTakeOver(hidden, STEPS_TO_TAKE_OVER).map((line) => `${INDENT}// ${line}`),
    ...map(
      "secrets",
      [...hidden].map(
        ([name, configKey]) =>
          `${INDENT.repeat(2)}${key(name)}: previewenv.existing(), // config.requireSecret("${configKey}")`,
      ),
    ),
    ...(services.length > 0 ? list("services", services, 1) : []),
    ...map(
      "scopes",
      [...scopes].flatMap(([name, own]) => list(name, own, 2)),
    ),
    "});",
  ];
}

/** Without a branch there is nothing to declare. */
function branches({ branches: found }: Adoption): readonly string[] {
  if (found.size === 0) return [];
  const inner = INDENT.repeat(2);
  return [
    "const branches = new previewenv.EnvironmentBranches(",
    `${INDENT}"branches",`,
    `${INDENT}{`,
    `${inner}environmentId,`,
    `${inner}branches: {`,
    ...[...found].map(([repoName, branch]) => property(repoName, branch, 3)),
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

function list(name: string, items: readonly string[], depth: number): readonly string[] {
  const indent = INDENT.repeat(depth);
  const line = `${indent}${key(name)}: [${items.map(literal).join(", ")}],`;
  if (widthOf(line) <= MAX_WIDTH) return [line];
  return [`${indent}${key(name)}: [`, ...items.map((item) => `${indent}${INDENT}${literal(item)},`), `${indent}],`];
}

function property(name: string, value: string, depth: number): string {
  const indent = INDENT.repeat(depth);
  const line = `${indent}${key(name)}: ${literal(value)},`;
  const isBroken = widthOf(line) > MAX_WIDTH && widthOf(key(name)) >= MIN_NAME_BEFORE_BREAK;
  return isBroken ? `${indent}${key(name)}:\n${indent}${INDENT}${literal(value)},` : line;
}

/** The name of a property. */
function key(name: string): string {
  return IDENTIFIER.test(name) ? name : literal(name);
}

/** A string literal: everything that nobody would see is escaped, so that what is read is what is declared. */
function literal(text: string): string {
  const content = replaceUnseen(JSON.stringify(text).slice(1, -1), escapeAsCodeUnits);
  const [doubles, singles] = [text.split('"').length, text.split("'").length];
  if (doubles <= singles) return `"${content}"`;
  return `'${content.replaceAll('\\"', '"').replaceAll("'", String.raw`\'`)}'`;
}

function escapeAsCodeUnits(codePoint: number): string {
  return String.fromCodePoint(codePoint)
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(HEXADECIMAL).padStart(CODE_UNIT_DIGITS, "0")}`)
    .join("");
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uFF01-\uFF60]/u;
const WITHOUT_WIDTH = /\p{Mn}/u;

/** Columns in a terminal: characters of East Asian scripts have two. */
function widthOf(line: string): number {
  return Array.from(line).reduce((sum, character) => sum + widthOfCharacter(character), 0);
}

function widthOfCharacter(character: string): number {
  if (WITHOUT_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
