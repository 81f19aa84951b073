import type { Component } from "../../../provider/src/framework/component";
import type { InputKinds } from "../../../provider/src/framework/no-value";
import { fileName } from "../names";
import { inputKinds, propertiesOf, propertiesOfShape, type Property } from "../properties";
import { defaultOf, noMarks, remarks } from "../remarks";
import { comment, defaultTag } from "./comment";
import { argument, interfaces, orUndefined } from "./resource-class";
import { contentOf, namedTypes, typeText } from "./type-text";

/** The file with the types of one component of the TypeScript SDK; its class is written by hand. */
export function componentTypes({ type, inputs, plain, outputs }: Component): string {
  const given = propertiesOf(inputs, "input");
  const found = propertiesOf(outputs, "output");
  return [
    `import type * as pulumi from "@pulumi/pulumi";`,
    "",
    ...namedTypes(type, given).flatMap(({ name, description, properties }) => [
      comment([description]),
      `export interface ${name} {`,
      ...properties.flatMap((property) => readonlyArgument(name, property)),
      "}",
      "",
    ]),
    comment([`What a program passes to {@link ${type}}.`]),
    `export interface ${type}Args {`,
    ...given.flatMap((input) =>
      plain.includes(input.name) ? plainArgument(type, input) : readonlyArgument(type, input),
    ),
    "}",
    "",
    ...interfaces(type, found),
    comment([`What a ${type} gives back.`]),
    `export interface ${type}Outputs {`,
    ...found.flatMap((output) => [
      comment([output.shape.description ?? ""]),
      `readonly ${output.name}: pulumi.Output<${typeText(type, output, "plain")}>;`,
    ]),
    "}",
    "",
  ].join("\n");
}

/**
 * The file with what the classes of components know of their arguments. Apart from the types, which an entry exports with `export type *`: a
 * value among them would be one that programs see and cannot import.
 */
export function componentArgs(components: readonly Component[]): string {
  return components
    .flatMap(({ type, inputs }) => {
      const given = propertiesOf(inputs, "input");
      const variable = type.charAt(0).toLowerCase() + type.slice(1);
      return [
        `import type { InputKind, InputKinds } from "../../../provider/src/framework/no-value";`,
        `import type { ${type}Args } from "./${fileName(type)}";`,
        "",
        comment([
          `Which arguments of a ${type} may be missing, all of them; below the name of one, the same of what is in it.`,
        ]),
        `export const ${variable}Kinds = ${JSON.stringify(kindsOf(given))} as const satisfies Readonly<Record<string, InputKinds>> & { args: Record<keyof ${type}Args, InputKind> };`,
        "",
      ];
    })
    .join("\n");
}

function kindsOf(given: readonly Property[]): Readonly<Record<string, InputKinds>> {
  const inner = given.flatMap(({ name, shape }) => {
    const object = contentOf(shape) ?? shape;
    return object.properties === undefined ? [] : [[name, inputKinds(propertiesOfShape(object))] as const];
  });
  return { args: inputKinds(given), ...Object.fromEntries(inner) };
}

function readonlyArgument(owner: string, property: Property): readonly string[] {
  const [description = "", member = ""] = argument(owner, noMarks, property);
  return [description, `readonly ${member}`];
}

/** An argument that is no Output, because it decides which children there are. */
function plainArgument(owner: string, property: Property): readonly string[] {
  const { name, required, shape } = property;
  const text = typeText(owner, property, "plain");
  return [
    comment([shape.description ?? "", ...remarks(noMarks, property), ...defaultTag(defaultOf(property))]),
    `readonly ${name}${required ? "" : "?"}: ${shape.type === "array" ? "readonly " : ""}${text}${orUndefined(property)};`,
  ];
}
