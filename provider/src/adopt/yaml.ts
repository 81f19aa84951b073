import { replaceUnseen } from "../client/error-text";
import { EXISTING } from "../env-vars/placeholder";
import type { Adoption } from "./adoption";
import type { Wanted } from "./arguments";

const INDENT = "  ";
const HEXADECIMAL = 16;
const SHORT_DIGITS = 4;
const LONG_DIGITS = 8;
const LAST_SHORT = 0xffff;
/** A text that every version of YAML reads as itself. Numbers and dates begin with other characters. */
const PLAIN = /^[A-Za-z_][\w./-]*(?::[\w./-]+)*$/u;
const RESERVED = /^(?:y|yes|n|no|on|off|true|false|null)$/iu;
/** A longer name of an entry must be written as `? name`: the 1024 characters that YAML allows, less the quotes. */
const MAX_SIMPLE_KEY = 1000;
const MAX_PROJECT_NAME = 100;

/** Names that a map in Pulumi YAML cannot have, however they are quoted. */
export function whyNotInYaml(name: string): string | undefined {
  if (/^fn::/iu.test(name)) return "has a name that begins with `fn::`, which Pulumi YAML takes for a function";
  return name === "<<" ? "has the name by which YAML merges maps" : undefined;
}

/** Writes a whole project with the program, in Pulumi YAML: Pulumi.yaml. */
export function writeYaml(adoption: Adoption, wanted: Wanted): string {
  return `${[
    ...header(adoption),
    `name: ${scalar(projectName(adoption.name))}`,
    "runtime: yaml",
    "options:",
    `${INDENT}# Each \`pulumi up\` and \`pulumi preview\` looks first at what the service has.`,
    `${INDENT}refresh: always`,
    "",
    ...environment(wanted),
    "resources:",
    ...variables(adoption, environmentId(wanted)),
    ...branches(adoption, environmentId(wanted)),
  ].join("\n")}\n`;
}

function header({ title, leftOut }: Adoption): readonly string[] {
  return [
    `# ${title}, as pulumi-previewenv found it: the first \`pulumi up\``,
    "# writes nothing to the service and starts no build.",
    ...leftOut.map(({ what, reason }) => `# Not declared: ${what}, because it ${reason}.`),
  ];
}

/** What Pulumi accepts as the name of a project. */
function projectName(name: string): string {
  const parts = name.match(/[A-Za-z0-9]+/gu) ?? [];
  return parts.join("-").slice(0, MAX_PROJECT_NAME) || "environment";
}

function environment(wanted: Wanted): readonly string[] {
  if ("id" in wanted) return [];
  const filters = Object.entries(wanted.filters).map(
    ([name, filter]) => `${name}: ${typeof filter === "string" ? text(filter) : String(filter)}`,
  );
  return [
    "variables:",
    ...indented(1, ["environment:"]),
    ...indented(2, ["fn::invoke:"]),
    ...indented(3, ["function: previewenv:getEnvironment", "arguments:"]),
    ...indented(4, filters),
    "",
  ];
}

function environmentId(wanted: Wanted): string {
  return "id" in wanted ? scalar(wanted.id) : "${environment.id}";
}

function variables({ variables: visible, hidden, services, scopes }: Adoption, id: string): readonly string[] {
  const comment = [
    "# The service hides these values, and keeps them. To manage one here, write it",
    `# in place of ${EXISTING}: the next \`pulumi up\` sends it.`,
  ];
  return [
    ...indented(1, ["vars:"]),
    ...indented(2, ["type: previewenv:EnvVarSet", "properties:"]),
    ...indented(3, [
      `environmentId: ${id}`,
      ...map(
        "variables",
        [...visible].map(([name, value]) => entry(name, text(value))),
      ),
      ...(hidden.length > 0 ? comment : []),
      ...map(
        "secrets",
        hidden.map((name) => entry(name, EXISTING)),
      ),
      ...(services.length > 0 ? [`services: ${list(services)}`] : []),
      ...map(
        "scopes",
        [...scopes].map(([name, own]) => entry(name, list(own))),
      ),
    ]),
  ];
}

/** Without a branch there is nothing to declare. */
function branches({ branches: found }: Adoption, id: string): readonly string[] {
  if (found.size === 0) return [];
  return [
    "",
    ...indented(1, ["branches:"]),
    ...indented(2, ["type: previewenv:EnvironmentBranches", "properties:"]),
    ...indented(3, [
      `environmentId: ${id}`,
      ...map(
        "branches",
        [...found].map(([repoName, branch]) => entry(repoName, text(branch))),
      ),
      "# Rebuilds when a variable changes. Adding these lines causes one rebuild.",
      "# rebuildOn:",
      "#   - ${vars.revision}",
    ]),
    ...indented(2, ["options:"]),
    ...indented(3, ["dependsOn:"]),
    ...indented(4, ["- ${vars}"]),
    "",
    "outputs:",
    ...indented(1, ["url: ${branches.url}"]),
  ];
}

function indented(depth: number, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split("\n")).map((line) => INDENT.repeat(depth) + line);
}

function map(name: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : [`${name}:`, ...indented(1, entries)];
}

function entry(name: string, value: string): string {
  const written = text(name);
  return written.length > MAX_SIMPLE_KEY ? `? ${written}\n: ${value}` : `${written}: ${value}`;
}

function list(items: readonly string[]): string {
  return `[${items.map(text).join(", ")}]`;
}

/** A text that Pulumi YAML reads as it is: it takes `$$` for a dollar sign, and `\${` for the begin of a reference. */
function text(value: string): string {
  return scalar(value.replaceAll(/\$(?=[${])/gu, "$$$$"));
}

/**
 * A text that YAML reads as it is: plain where nothing else is possible, else in double quotes, which is JSON. Not a library:
 * those for Node follow YAML 1.2, and Pulumi's parser in Go ends lines at more characters and refuses others.
 */
function scalar(value: string): string {
  if (PLAIN.test(value) && !RESERVED.test(value)) return value;
  return replaceUnseen(JSON.stringify(value), escaped);
}

function escaped(codePoint: number): string {
  const digits = codePoint.toString(HEXADECIMAL);
  return codePoint > LAST_SHORT
    ? `\\U${digits.padStart(LONG_DIGITS, "0")}`
    : `\\u${digits.padStart(SHORT_DIGITS, "0")}`;
}
