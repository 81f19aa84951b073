import { readFileSync } from "node:fs";
import * as path from "node:path";
import * as ts from "typescript";
import { example } from "../snippets";
import { table } from "./tables";

/** What the doc comment of a declaration that somebody wrote in TypeScript says. */
export interface Written {
  readonly name: string;
  /** Without tags; a link is the name that it links to. Empty when there is none. */
  readonly description: string;
  readonly tags: ReadonlyMap<string, string>;
  /** Of an interface: its properties. */
  readonly members: readonly Member[];
}

/** A property of an interface. */
export interface Member {
  readonly name: string;
  readonly required: boolean;
  /** As it is written, without `undefined`. */
  readonly type: string;
  readonly description: string;
}

const RUNTIME = path.join("sdk", "nodejs", "runtime");

/** What is declared by hand in TypeScript and belongs to the reference. */
export function writtenDeclarations() {
  const many = declarationsOf("preview-environments.ts");
  const dotenv = declarationsOf("dotenv.ts");
  return {
    previewEnvironmentsArgs: many("PreviewEnvironmentsArgs"),
    provider: declarationsOf("provider.ts")("Provider"),
    existing: declarationsOf("existing.ts")("existing"),
    variablesFromDotenv: dotenv("variablesFromDotenv"),
    dotenvSource: dotenv("DotenvSource"),
    dotenvOptions: dotenv("DotenvOptions"),
    dotenvVariables: dotenv("DotenvVariables"),
  } as const;
}

/** Finds the exported declarations of a file of the TypeScript SDK. */
export function declarationsOf(file: string): (name: string) => Written {
  const text = readFileSync(path.join(RUNTIME, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return (name) => {
    const found = source.statements.find((one) => isDeclaration(one) && one.name?.text === name);
    if (found === undefined) throw new Error(`${file} does not declare ${name}`);
    const members = ts.isInterfaceDeclaration(found) ? found.members.filter(ts.isPropertySignature) : [];
    return { name, ...commentOf(found), members: members.map((one) => memberOf(one, source)) };
  };
}

function isDeclaration(
  node: ts.Node,
): node is ts.InterfaceDeclaration | ts.ClassDeclaration | ts.FunctionDeclaration | ts.TypeAliasDeclaration {
  return [ts.isInterfaceDeclaration, ts.isClassDeclaration, ts.isFunctionDeclaration, ts.isTypeAliasDeclaration].some(
    (is) => is(node),
  );
}

function memberOf(member: ts.PropertySignature, source: ts.SourceFile): Member {
  const type = member.type?.getText(source).replace(/ \| undefined$/u, "") ?? "";
  return {
    name: member.name.getText(source),
    required: member.questionToken === undefined,
    type: type.replace(/^\((.*)\)$/su, "$1"),
    description: commentOf(member).description,
  };
}

function commentOf(node: ts.Node): Pick<Written, "description" | "tags"> {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const tags = comment?.tags ?? [];
  return {
    description: plain(comment?.comment),
    tags: new Map(tags.map((tag) => [tag.tagName.text, plain(tag.comment, tag.tagName.text === "example")])),
  };
}

/** The text of a comment: a line of it ends where it was wrapped, so that only an empty line is kept, and those of a program. */
function plain(comment: string | ts.NodeArray<ts.JSDocComment> | undefined, isProgram = false): string {
  const text = ts.getTextOfJSDocComment(comment) ?? "";
  if (isProgram) return text;
  return text.replaceAll(/\{@link (\w+)\}/gu, "`$1`").replaceAll(/(?<!\n)\n(?!\n)/gu, " ");
}

/** What TypeScript programs have beside the resources and functions of all languages, from its doc comments. */
export function typescriptOnly() {
  const written = writtenDeclarations();
  const { previewEnvironmentsArgs, variablesFromDotenv, dotenvOptions, existing, provider } = written;
  return {
    previewEnvironments: [
      "### Inputs that only TypeScript has",
      "",
      ...memberTable(previewEnvironmentsArgs.members, "required"),
    ],
    provider: [
      ...begin(provider),
      "Its arguments are the [settings](#settings), by the names after `previewenv:`. None is required.",
      "",
    ],
    existing: [...begin(existing), "### Result", "", `${upper(existing.tags.get("returns") ?? "")}.`, ""],
    variablesFromDotenv: [
      "### In TypeScript",
      "",
      variablesFromDotenv.description,
      "",
      ...table(
        ["argument", "type", "required", "what it is"],
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
      ...memberTable(written.dotenvVariables.members),
    ],
  } as const;
}

function begin({ name, description }: Written): readonly string[] {
  return [`## ${name}`, "", description, "", ...example(name)];
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
