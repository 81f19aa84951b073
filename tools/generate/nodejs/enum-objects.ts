import type { Component } from "../../../provider/src/framework/component";
import { comment } from "./comment";
import { propertiesOf } from "../properties";
import { collectTypes } from "../schema/named-types";
import type { EnumSpec } from "../schema/property-spec";

/**
 * The file with the enums of the TypeScript SDK. Programs may write the values as they are; the code that
 * `pulumi import` prints names them as the package schema does.
 */
export function enumObjects(declarations: readonly Pick<Component, "type" | "inputs">[]): string {
  return enumsOf(declarations)
    .flatMap(([name, spec]) => [
      comment([`${spec.description} The values may be written as they are, too.`]),
      `export const ${name} = {`,
      ...spec.enum.flatMap(({ name: member, value, description }) => [
        comment([description]),
        `${member}: ${JSON.stringify(value)},`,
      ]),
      "} as const;",
      "",
      comment([spec.description]),
      `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
      "",
    ])
    .join("\n");
}

/** The names of the enums. */
export function enumNames(declarations: readonly Pick<Component, "type" | "inputs">[]): readonly string[] {
  return enumsOf(declarations).map(([name]) => name);
}

function enumsOf(
  declarations: readonly Pick<Component, "type" | "inputs">[],
): readonly (readonly [string, EnumSpec])[] {
  const types = collectTypes("");
  for (const { type, inputs } of declarations)
    for (const property of propertiesOf(inputs, "input")) types.property(type, property);
  return Object.entries(types.all()).flatMap(([name, spec]) => ("enum" in spec ? [[name, spec] as const] : []));
}
