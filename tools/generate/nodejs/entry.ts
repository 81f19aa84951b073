import { fileName } from "../names";

/** The file with all that is generated for the entry `pulumi-previewenv`: a new resource or function is exported by it. */
export function dynamicEntry(names: readonly string[]): string {
  return [...names, "enums"].map((name) => `export * from "./${fileName(name)}";\n`).join("");
}
