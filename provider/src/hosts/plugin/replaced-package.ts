import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import * as z from "zod";
import { isFromDynamicProvider } from "./resource";

const PACKAGE = "pulumi-previewenv";

/** The field that Pulumi writes into the `package.json` of an SDK that it generates. The npm package has no such field. */
const GeneratedManifest = z.object({ pulumi: z.object({ name: z.literal("previewenv") }) });

/**
 * Why a stack of the dynamic provider must not go on: `pulumi package add` has replaced the program's npm package by an SDK of the same name. A
 * program that imports the entry of the plugin has the npm package, and one in another language has neither.
 * @param olds The inputs in state.
 * @param folder The program's, where the engine starts the plugin.
 */
export function replacedPackage(olds: Struct | undefined, folder = process.cwd()): readonly string[] {
  if (!isFromDynamicProvider(olds) || !isGenerated(folder)) return [];
  return [
    `this stack uses the dynamic provider of the npm package ${PACKAGE}, and \`pulumi package add\` has replaced that package by a ` +
      `generated SDK. Nothing was changed. Run \`npm install ${PACKAGE}\`, which brings the package back. To use the plugin instead, ` +
      `import the classes from "${PACKAGE}/native"`,
  ];
}

function isGenerated(folder: string): boolean {
  try {
    const file = createRequire(path.join(folder, "program.js")).resolve(`${PACKAGE}/package.json`);
    return GeneratedManifest.safeParse(JSON.parse(readFileSync(file, "utf8"))).success;
  } catch {
    // A program in another language, or a package that cannot be read: the engine shows its own error, if there is one.
    return false;
  }
}
