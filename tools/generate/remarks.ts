import type { Resource } from "../../provider/src/framework/resource";
import type { Property } from "./properties";

/** What a declaration says about some of its properties. */
export type Marks = Pick<Resource, "secrets" | "replaceOnChanges"> & Partial<Pick<Resource, "secretUnlessFalse">>;

/** The properties of a function have none. */
export const noMarks: Marks = { secrets: [], replaceOnChanges: [] };

/** What is worth knowing about a property beyond its description, as sentences. */
export function remarks(
  { secrets, secretUnlessFalse, replaceOnChanges }: Marks,
  { name, shape }: Property,
): readonly string[] {
  return [
    shape.default === undefined ? "" : `Default: \`${JSON.stringify(shape.default)}\`.`,
    secrets.includes(name) ? secrecy(secretUnlessFalse) : "",
    replaceOnChanges.includes(name) ? "Changing it replaces the resource." : "",
  ].filter((one) => one !== "");
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
