import { Document, isMap, isScalar, Scalar, type ScalarTag } from "yaml";
import { findPair, stringifyString, stringTag } from "yaml/util";
import { replaceUnseen } from "../client/error-text";
import { EXISTING } from "../env-vars/placeholder";
import type { Adoption } from "./adoption";
import type { Wanted } from "./arguments";
import { howToTakeOver } from "./config-keys";

const HEXADECIMAL = 16;
const SHORT_DIGITS = 4;
const LONG_DIGITS = 8;
const LAST_SHORT = 0xffff;
const MAX_PROJECT_NAME = 100;
/** Texts that the library may write without quotes. Of all others it and Pulumi's parser in Go may think differently. */
const ORDINARY = /^[A-Za-z_$][\w./:${}-]*$/u;

/** Names that a map in Pulumi YAML cannot have, however they are quoted. */
export function whyNotInYaml(name: string): string | undefined {
  if (/^fn::/iu.test(name)) return "has a name that begins with `fn::`, which Pulumi YAML takes for a function";
  return name === "<<" ? "has the name by which YAML merges maps" : undefined;
}

/** Writes a whole project with the program, in Pulumi YAML: Pulumi.yaml. */
export function writeYaml(adoption: Adoption, wanted: Wanted): string {
  const environmentId = "id" in wanted ? text(wanted.id) : "${environment.id}";
  const hasBranches = adoption.branches.size > 0;
  const document = yaml({
    name: projectName(adoption.name),
    runtime: "yaml",
    options: { refresh: "always" },
    variables: "id" in wanted ? undefined : { environment: lookUp(wanted.filters) },
    resources: {
      vars: { type: "previewenv:EnvVarSet", properties: { environmentId, ...variables(adoption) } },
      branches: hasBranches ? branches(adoption, environmentId) : undefined,
    },
    outputs: hasBranches ? { url: "${branches.url}" } : undefined,
  });
  comment(document, ["name"], header(adoption));
  comment(document, ["options", "refresh"], [LOOKS_FIRST]);
  for (const path of [["variables"], ["resources"], ["resources", "branches"], ["outputs"]]) leaveLine(document, path);
  comment(document, ["resources"], config(adoption));
  comment(document, ["resources", "vars", "properties", "secrets"], howToTakeOver(adoption.hidden, STEPS_TO_TAKE_OVER));
  comment(document, ["resources", "branches", "properties", "branches"], HOW_TO_REBUILD);
  return printed(document);
}

const LOOKS_FIRST = "Each `pulumi up` and `pulumi preview` looks first at what the service has.";
const STEPS_TO_TAKE_OVER = [
  "2. Remove the `# ` before `config:` above, and before its line there.",
  `3. In its line here, replace ${EXISTING} by the text after the #.`,
];
const HOW_TO_REBUILD = [
  "Rebuilds when a variable changes. Adding these lines causes one rebuild.",
  "rebuildOn:",
  "  - ${vars.revision}",
];

function header({ title, leftOut }: Adoption): readonly string[] {
  return [
    `${title}, as pulumi-previewenv found it: the first \`pulumi up\``,
    "writes nothing to the service and starts no build.",
    ...leftOut.map((reason) => `Not declared: ${reason}.`),
  ];
}

/** What Pulumi accepts as the name of a project. */
function projectName(name: string): string {
  const parts = name.match(/[A-Za-z0-9]+/gu) ?? [];
  return parts.join("-").slice(0, MAX_PROJECT_NAME) || "environment";
}

function lookUp(filters: object): object {
  const given = Object.entries(filters).map(([name, filter]: [string, unknown]) => [
    name,
    typeof filter === "string" ? text(filter) : filter,
  ]);
  return { "fn::invoke": { function: "previewenv:getEnvironment", arguments: Object.fromEntries(given) } };
}

function variables({ variables: visible, hidden, services, scopes }: Adoption): object {
  return {
    variables: map(visible, text),
    secrets: map(hidden, (key) => {
      const value = new Scalar(EXISTING);
      value.comment = ` \${${key}}`;
      return value;
    }),
    services: services.length > 0 ? services.map(text) : undefined,
    scopes: map(scopes, (own) => own.map(text)),
  };
}

function branches({ branches: declared }: Adoption, environmentId: string): object {
  return {
    type: "previewenv:EnvironmentBranches",
    properties: { environmentId, branches: map(declared, text) },
    options: { dependsOn: ["${vars}"] },
  };
}

/** As a comment: Pulumi runs no program that declares a key of the stack's config which has no value. */
function config({ hidden }: Adoption): readonly string[] {
  if (hidden.size === 0) return [];
  const declared = Array.from(hidden.values(), (key) => [
    key,
    new Document().createNode({ type: "string", secret: true }, { flow: true }),
  ]);
  return [
    "The values that this program manages: see `secrets` below.",
    ...printed(yaml({ config: Object.fromEntries(declared) })).split("\n"),
  ];
}

/** A map of names that the service has: it may be empty, and then nothing is written. */
function map<T>(entries: ReadonlyMap<string, T>, valueOf: (value: T) => unknown): unknown {
  if (entries.size === 0) return undefined;
  return new Map(Array.from(entries, ([name, value]) => [text(name), valueOf(value)]));
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

function yaml(content: object): Document {
  return new Document(content, { compat: "yaml-1.1", customTags: (tags) => [STRING, ...tags] });
}

function printed(document: Document): string {
  return document.toString({ lineWidth: 0, doubleQuotedAsJSON: true });
}

/** Writes a comment above an entry. Nothing when there is no such entry. */
function comment(document: Document, path: readonly string[], lines: readonly string[]): void {
  const key = keyAt(document, path);
  if (key !== undefined) key.commentBefore = lines.map((line) => (line === "" ? "" : ` ${line}`)).join("\n");
}

/** Leaves a line free above an entry. Nothing when there is no such entry. */
function leaveLine(document: Document, path: readonly string[]): void {
  const key = keyAt(document, path);
  if (key !== undefined) key.spaceBefore = true;
}

function keyAt(document: Document, path: readonly string[]): Scalar | undefined {
  const parent = document.getIn(path.slice(0, -1), true);
  const key = isMap(parent) ? findPair(parent.items, path.at(-1))?.key : undefined;
  return isScalar(key) ? key : undefined;
}

function escaped(codePoint: number): string {
  const digits = codePoint.toString(HEXADECIMAL);
  return codePoint > LAST_SHORT
    ? `\\U${digits.padStart(LONG_DIGITS, "0")}`
    : `\\u${digits.padStart(SHORT_DIGITS, "0")}`;
}
