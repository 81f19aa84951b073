import type { PreviewenvFunction } from "../../../provider/src/framework/function";
import { capitalized, fileName, inputKinds, noMarks, propertiesOf } from "../properties";
import { argument, comment, entries, exampleTag, interfaces, pageTag, plainMember } from "./text";

/** The file of one function of the TypeScript SDK, in its plain and its Output form. */
export function functionWrapper(declaration: PreviewenvFunction): string {
  const { name, inputs, outputs, secret } = declaration;
  const source = `../../../provider/src/functions/${fileName(name)}`;
  const owner = capitalized(name);
  const args = propertiesOf(inputs, "input");
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
    ...forms(declaration, "call", entries.dynamic),
  ].join("\n");
}

/** The file with the functions of `pulumi-previewenv/native`, which the plugin answers. */
export function nativeFunctions(functions: readonly PreviewenvFunction[]): string {
  return [
    `import type * as pulumi from "@pulumi/pulumi";`,
    ...functions.map(({ name }) => {
      const type = capitalized(name);
      return `import type { ${type}Args, ${type}OutputArgs, ${type}Result } from "../${fileName(name)}";`;
    }),
    `import { invoke, invokeOutput } from "../../runtime/functions";`,
    "",
    ...functions.flatMap((one) => {
      const { name, secret, inputs } = one;
      const call = { name, ...(secret && { secret }), kinds: inputKinds(propertiesOf(inputs, "input")) };
      return forms(one, JSON.stringify(call), entries.native);
    }),
  ].join("\n");
}

/** A function in its plain and its Output form, for those who import `entry`. `call` is the text of what it calls. */
function forms(declaration: PreviewenvFunction, call: string, entry: string): readonly string[] {
  const { name, description, secret, needsNothing } = declaration;
  const type = capitalized(name);
  const fallback = needsNothing ? " = {}" : "";
  return [
    comment([
      description,
      `{@link ${name}Output} does the same for arguments that are Outputs.`,
      "@throws pulumi.RunError that says what failed",
      pageTag(name),
      // The snippet shows the other form, and exports what it gives.
      exampleTag(name, entry)
        .replace(`previewenv.${name}Output(`, `await previewenv.${name}(`)
        .replace(/^export .*\n/mu, ""),
    ]),
    `export function ${name}(args: ${type}Args${fallback}, opts?: pulumi.InvokeOptions): Promise<${type}Result> {`,
    `return invoke(${call}, args, opts);`,
    "}",
    "",
    comment([
      description,
      "Takes Outputs. What is not known yet gives an unknown result, without a request.",
      secret ? "The result is a secret." : "",
      pageTag(name),
      exampleTag(name, entry),
    ]),
    `export function ${name}Output(args: ${type}OutputArgs${fallback}, opts?: pulumi.InvokeOutputOptions): pulumi.Output<${type}Result> {`,
    `return invokeOutput(${call}, args, opts);`,
    "}",
    "",
  ];
}
