import type { PreviewenvFunction } from "../../../provider/src/framework/function";
import { comment, entries, exampleTag } from "./comment";
import { capitalized, declarationFile } from "../names";
import { inputKinds, propertiesOf } from "../properties";
import { noMarks } from "../remarks";
import { argument, interfaces, plainMember } from "./resource-class";

/** The file of one function of the TypeScript SDK, in its plain and its Output form. */
export function functionWrapper(declaration: PreviewenvFunction): string {
  const { name, inputs, outputs, secret, needsNothing } = declaration;
  const source = `../../../${declarationFile(name).replace(/\.ts$/u, "")}`;
  const owner = capitalized(name);
  const args = propertiesOf(inputs, "input");
  const fallback = needsNothing ? " = {}" : "";
  const results = propertiesOf(outputs, "output");
  return [
    `import type * as pulumi from "@pulumi/pulumi";`,
    `import type * as Source from "${source}";`,
    `import { type FunctionCall, invoke, invokeOutput } from "../runtime/functions";`,
    "",
    comment([`What a program passes to {@link ${name}}.`]),
    `export interface ${owner}Args {`,
    ...args.flatMap((arg) => argument(owner, noMarks, arg, "plain")),
    "}",
    "",
    comment([`What a program passes to {@link ${name}Output}.`]),
    `export interface ${owner}OutputArgs {`,
    ...args.flatMap((arg) => argument(owner, noMarks, arg)),
    "}",
    "",
    ...interfaces(owner, results),
    comment([`What {@link ${name}} found.`]),
    `export interface ${owner}Result {`,
    ...results.flatMap((result) => plainMember(owner, result)),
    "}",
    "",
    `const call: FunctionCall<${owner}Result> = {`,
    `name: ${JSON.stringify(name)},`,
    ...(secret ? ["secret: true,"] : []),
    `kinds: ${JSON.stringify(inputKinds(args))},`,
    "load() {",
    `const source: typeof Source = require("${source}");`,
    `return source.${name};`,
    "},",
    "};",
    "",
    comment(plainDescription(declaration)),
    `export function ${name}(args: ${owner}Args${fallback}, opts?: pulumi.InvokeOptions): Promise<${owner}Result> {`,
    "return invoke(call, args, opts);",
    "}",
    "",
    comment([...outputDescription(declaration), exampleTag(name, entries.dynamic)]),
    `export function ${name}Output(args: ${owner}OutputArgs${fallback}, opts?: pulumi.InvokeOutputOptions): pulumi.Output<${owner}Result> {`,
    "return invokeOutput(call, args, opts);",
    "}",
    "",
  ].join("\n");
}

/** The sentences about a function's plain form. */
export function plainDescription({ name, description }: PreviewenvFunction): readonly string[] {
  return [
    description,
    `{@link ${name}Output} does the same for arguments that are Outputs.`,
    "@throws pulumi.RunError that says what failed",
  ];
}

/** The sentences about a function's Output form. */
export function outputDescription({ description, secret }: PreviewenvFunction): readonly string[] {
  return [
    description,
    "Takes Outputs; what is not known yet gives an unknown result, without a request.",
    secret ? "The result is a secret." : "",
  ];
}
