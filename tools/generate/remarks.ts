import type { Resource } from "../../provider/src/framework/resource";
import type { Property } from "./properties";

/** What a declaration says about some of its properties. */
export type Marks = Pick<Resource, "secrets" | "replaceOnChanges"> & Partial<Pick<Resource, "secretUnlessFalse">>;

/** The properties of a function have none. */
export const noMarks: Marks = { secrets: [], replaceOnChanges: [] };

/** What is worth knowing about a property beyond its description and its default, as sentences. */
export function remarks(
  { secrets, secretUnlessFalse, replaceOnChanges }: Marks,
  { name }: Property,
): readonly string[] {
  return [
    secrets.includes(name) ? secrecy(secretUnlessFalse) : "",
    replaceOnChanges.includes(name) ? "Changing it replaces the resource." : "",
  ].filter((one) => one !== "");
}

/** The default of a property as a program would write it; `undefined` when it has none. */
export function defaultOf({ shape }: Property): string | undefined {
  return shape.default === undefined ? undefined : JSON.stringify(shape.default);
}

function secrecy(unlessFalse: string | undefined): string {
  return unlessFalse === undefined
    ? "Always a Pulumi secret."
    : `A Pulumi secret, unless \`${unlessFalse}\` is \`false\`.`;
}

/** The ids that an import takes, in Markdown. */
export function importForms(importFormat: string): string {
  return importFormat
    .split(" or ")
    .map((form) => `\`${form}\``)
    .join(" or ");
}
