import { Document, Scalar, type ScalarTag } from "yaml";
import { stringifyString, stringTag } from "yaml/util";
import type { EnvironmentFilters } from "../client/environments";
import { replaceUnseen } from "../client/error-text";
import { EXISTING } from "../framework/existing-text";
import type { Adoption } from "./adoption";
import type { Selector } from "./arguments";
import { headerLines, takeOverLines } from "./comments";

const HEXADECIMAL = 16;
const SHORT_DIGITS = 4;
const LONG_DIGITS = 8;
const LAST_SHORT = 0xffff;
const MAX_PROJECT_NAME = 100;
/** Texts that the library may write without quotes. Of all others it and Pulumi's parser in Go may think differently. */
const ORDINARY = /^[A-Za-z_$][\w./:${}-]*$/u;
/** The object in the stack's config that holds the values: a key of its own would be no text if its value looks like `12345`, `True` or JSON. */
const OBJECT = "secrets";
const STEPS_TO_TAKE_OVER = [
  "2. Remove the `# ` before `config:` above, and before the line below it.",
  `3. In its line here, replace ${EXISTING} with the text after the #.`,
];

/** Writes a whole project with the program, in Pulumi YAML: Pulumi.yaml. */
export function writeYaml(adoption: Adoption, selector: Selector): string {
  const isFound = "filters" in selector;
  const environmentId = isFound ? "${environment.id}" : text(selector.id);
  const sections = [
    project(adoption),
    ...(isFound ? [lookUp(selector.filters)] : []),
    ...(adoption.hidden.size > 0 ? [CONFIG] : []),
    `resources:\n${indented(1, variables(adoption, environmentId))}`,
    ...(adoption.branches.size > 0 ? [branches(adoption, environmentId)] : []),
  ];
  return `${sections.join("\n\n")}\n`;
}

function project(adoption: Adoption): string {
  return `${comment(headerLines(adoption))}
${yaml({ name: projectName(adoption.name) })}
runtime: yaml
options:
  # Each \`pulumi up\` and \`pulumi preview\` looks first at what the service has.
  refresh: always`;
}

/** The characters that Pulumi accepts in the name of a project. */
function projectName(name: string): string {
  const parts = name.match(/[A-Za-z0-9]+/gu) ?? [];
  return parts.join("-").slice(0, MAX_PROJECT_NAME) || "environment";
}

function lookUp(filters: EnvironmentFilters): string {
  const given = Object.entries(filters).map(([name, filter]) => [
    name,
    typeof filter === "string" ? text(filter) : filter,
  ]);
  const call = { function: "previewenv:getEnvironment", arguments: Object.fromEntries(given) };
  return yaml({ variables: { environment: { "fn::invoke": call } } });
}

/** As a comment: Pulumi runs no program that declares a key of the stack's config which has no value. */
const CONFIG = comment([
  "The values that this program manages: see `secrets` below.",
  "config:",
  `  ${OBJECT}: {type: object, secret: true}`,
]);

function variables(adoption: Adoption, environmentId: string): string {
  const { variables: visible, hidden, services, scopes } = adoption;
  const properties = [
    yaml({ environmentId }),
    ...map("variables", visible, text),
    ...(hidden.size > 0 ? [comment(takeOverLines(adoption, `--path --secret ${OBJECT}.`, STEPS_TO_TAKE_OVER))] : []),
    ...map("secrets", hidden, existing),
    ...(services.length > 0 ? [yaml({ services: services.map(text) })] : []),
    ...map("scopes", scopes, (own) => own.map(text)),
  ];
  return `vars:
  type: previewenv:EnvVarSet
  properties:
${indented(2, properties.join("\n"))}`;
}

function existing(configKey: string): Scalar {
  const value = new Scalar(EXISTING);
  value.comment = ` \${${OBJECT}.${configKey}}`;
  return value;
}

function branches({ branches: declared }: Adoption, environmentId: string): string {
  return `  branches:
    type: previewenv:EnvironmentBranches
    properties:
      ${yaml({ environmentId })}
      # Rebuilds when a variable changes. Adding these lines causes one rebuild.
      # rebuildOn:
      #   - \${vars.revision}
${indented(3, map("branches", declared, text).join("\n"))}
    options:
      dependsOn:
        - \${vars}

outputs:
  url: \${branches.url}`;
}

/** A map of names that the service has: it may be empty, and then nothing is written. */
function map<T>(name: string, entries: ReadonlyMap<string, T>, valueOf: (entry: T) => unknown): readonly string[] {
  if (entries.size === 0) return [];
  return [yaml({ [name]: new Map(Array.from(entries, ([key, entry]) => [text(key), valueOf(entry)])) })];
}

/** A text that Pulumi YAML reads as it is: it takes `$$` for a dollar sign, and `\${` for the begin of a reference. */
function text(value: string): string {
  return value.replaceAll(/\$(?=[${])/gu, "$$$$");
}

/** The library follows YAML 1.2, and Pulumi's parser in Go ends lines at more characters and refuses others. */
const STRING: ScalarTag = {
  ...stringTag,
  stringify: (item, context) => {
    const value = String(item.value);
    // With `actualString` the library quotes what any version of YAML takes for something else, such as `no`.
    if (ORDINARY.test(value)) return stringifyString({ value }, { ...context, actualString: true });
    return replaceUnseen(stringifyString({ value, type: Scalar.QUOTE_DOUBLE }, context), escaped);
  },
};

/** No text in it goes over several lines. */
function yaml(content: object): string {
  const document = new Document(content, { compat: "yaml-1.1", customTags: (tags) => [STRING, ...tags] });
  return document.toString({ lineWidth: 0, doubleQuotedAsJSON: true }).trimEnd();
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => `# ${line}`).join("\n");
}

function indented(depth: number, lines: string): string {
  return lines.replaceAll(/^/gmu, "  ".repeat(depth));
}

function escaped(codePoint: number): string {
  const digits = codePoint.toString(HEXADECIMAL);
  return codePoint > LAST_SHORT
    ? `\\U${digits.padStart(LONG_DIGITS, "0")}`
    : `\\u${digits.padStart(SHORT_DIGITS, "0")}`;
}
