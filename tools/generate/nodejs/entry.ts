import { fileName } from "../names";

/** What is generated for one entry of the package: `pulumi-previewenv`, or `pulumi-previewenv/native`. */
interface Generated {
  /** Files, from the folder of the entry, and the classes, functions and enums that a program takes from each. */
  readonly files: readonly (readonly [file: string, names: readonly string[]])[];
  /** Names of components: their classes are written by hand. */
  readonly components: readonly string[];
}

/**
 * The file with all that is generated for an entry. It names the classes, functions and enums one by one: what else a generated
 * file exports is for the package alone.
 */
export function generatedEntry({ files, components }: Generated, root = "."): string {
  return [
    ...files.map(([file, names]) => `export { ${names.join(", ")} } from "${file}";\nexport type * from "${file}";\n`),
    ...components.map((name) => `export type * from "${root}/${fileName(name)}";\n`),
  ].join("");
}
