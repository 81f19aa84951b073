import { escaped, replaceUnseen } from "../client/error-text";
import type { EnvironmentFilters } from "../client/environments";
import type { Adoption } from "./adoption";
import type { Selector } from "./arguments";
import { headerLines, takeOverLines } from "./comments";

/** A name that every compiler takes without quotes: which other letters it knows depends on its version of Unicode. */
const IDENTIFIER = /^[A-Z_a-z$][\w$]*$/u;
const STEPS_TO_TAKE_OVER = [
  "2. In its line, replace the call with the text after the //. At the top:",
  '   import * as pulumi from "@pulumi/pulumi";',
  "   const config = new pulumi.Config();",
];

/** Writes the program in TypeScript. */
export function writeTypeScript(adoption: Adoption, selector: Selector): string {
  const header = headerLines(adoption).map((line) => `// ${line}`);
  const sections = [
    'import * as previewenv from "pulumi-previewenv";',
    header.join("\n"),
    "id" in selector ? `const environmentId = ${literal(selector.id)};` : lookUp(selector.filters),
    variables(adoption),
    ...(adoption.branches.size > 0 ? [branches(adoption)] : []),
  ];
  return `${sections.join("\n\n")}\n`;
}

function lookUp(filters: EnvironmentFilters): string {
  const given = Object.entries(filters).map(([name, filter]) => `  ${name}: ${literal(filter)},`);
  return `const environment = previewenv.getEnvironmentOutput({
${given.join("\n")}
});
const environmentId = environment.id;`;
}

function variables(adoption: Adoption): string {
  const { variables: visible, hidden, services, scopes } = adoption;
  const lines = [
    "environmentId,",
    ...map("variables", visible, (value) => `${literal(value)},`),
    ...takeOverLines(adoption, "--secret ", STEPS_TO_TAKE_OVER).map((line) => `// ${line}`),
    ...map("secrets", hidden, (configKey) => `previewenv.existing(), // config.requireSecret("${configKey}")`),
    ...(services.length > 0 ? [`services: ${list(services)},`] : []),
    ...map("scopes", scopes, (own) => `${list(own)},`),
  ];
  return `const vars = new previewenv.EnvVarSet("vars", {
${lines.map((line) => `  ${line}`).join("\n")}
});`;
}

function branches({ branches: declared }: Adoption): string {
  const lines = map("branches", declared, (branch) => `${literal(branch)},`);
  return `const branches = new previewenv.EnvironmentBranches(
  "branches",
  {
    environmentId,
${lines.map((line) => `    ${line}`).join("\n")}
    // Rebuilds when a variable changes. Adding this line causes one rebuild.
    // rebuildOn: [vars.revision],
  },
  { dependsOn: [vars] },
);

export const url = branches.url;`;
}

/** The lines of a map, or none for an empty one. @param code what follows the name of an entry in its line */
function map<T>(name: string, entries: ReadonlyMap<string, T>, code: (entry: T) => string): readonly string[] {
  if (entries.size === 0) return [];
  const lines = Array.from(entries, ([key, entry]) => `  ${IDENTIFIER.test(key) ? key : literal(key)}: ${code(entry)}`);
  return [`${name}: {`, ...lines, "},"];
}

function list(texts: readonly string[]): string {
  return `[${texts.map(literal).join(", ")}]`;
}

/** A text or number as code: everything that nobody would see is escaped, so that what is read is what is declared. */
function literal(value: string | number | boolean): string {
  return replaceUnseen(JSON.stringify(value), escaped);
}
