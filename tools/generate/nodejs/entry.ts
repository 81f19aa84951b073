import { fileName } from "../names";

/** What is generated for the entry `pulumi-previewenv`. */
interface Generated {
  /** Names of resources and functions. */
  readonly names: readonly string[];
  /** Names of components: their classes are written by hand. */
  readonly components: readonly string[];
}

/** The file with all that is generated for the entry `pulumi-previewenv`: a new resource or function is exported by it. */
export function dynamicEntry({ names, components }: Generated): string {
  return [
    ...[...names, "enums"].map((name) => `export * from "./${fileName(name)}";\n`),
    ...components.map((name) => `export type * from "./${fileName(name)}";\n`),
  ].join("");
}
