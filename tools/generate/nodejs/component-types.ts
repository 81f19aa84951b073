import type { Component } from "../../../provider/src/framework/component";
import { fileName } from "../names";
import { propertiesOf, type Property } from "../properties";
import { noMarks, remarks } from "../remarks";
import { comment } from "./comment";
import { argument, interfaces } from "./resource-class";
import { namedTypes, typeText } from "./type-text";

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
 * The file with the names of every component's arguments. Apart from the types, which an entry exports with `export type *`: a value among them
 * would be one that programs see and cannot import.
 */
export function componentArgs(components: readonly Component[]): string {
  return components
    .flatMap(({ type, inputs }) => [
      `import type { ${type}Args } from "./${fileName(type)}";`,
      "",
      comment([`The names of the arguments of a ${type}.`]),
      `export const ${type.charAt(0).toLowerCase()}${type.slice(1)}Args = ${JSON.stringify(propertiesOf(inputs, "input").map(({ name }) => name))} as const satisfies readonly (keyof ${type}Args)[];`,
      "",
    ])
    .join("\n");
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
    comment([shape.description ?? "", ...remarks(noMarks, property)]),
    `readonly ${name}${required ? "" : "?"}: ${shape.type === "array" ? "readonly " : ""}${text}${required ? "" : " | undefined"};`,
  ];
}
