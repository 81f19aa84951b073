import type { Component } from "../../../provider/src/framework/component";
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
    comment([`The names of the arguments of a ${type}.`]),
    `export const ${type.charAt(0).toLowerCase()}${type.slice(1)}Args = ${JSON.stringify(given.map(({ name }) => name))} as const satisfies readonly (keyof ${type}Args)[];`,
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
