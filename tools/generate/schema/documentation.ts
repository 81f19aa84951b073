import { existsSync, readFileSync } from "node:fs";
import * as path from "node:path";
import type { Component } from "../../../provider/src/framework/component";
import type { Resource } from "../../../provider/src/framework/resource";
import type { PreviewenvFunction } from "../../../provider/src/framework/function";
import { fileName } from "../names";
import { importForms } from "../remarks";

/** One program in several languages stands in one folder of this one. */
const SNIPPETS = path.join("examples", "snippets");

/** File of a program in its folder, by the language as Markdown and the SDK generators name it. */
const languages = [
  ["typescript", "index.ts"],
  ["python", "__main__.py"],
  ["go", "main.go"],
  ["yaml", "Pulumi.yaml"],
] as const;

/** Description, example and import of a resource, in Markdown. */
export function resourceText(resource: Resource): string {
  return [resource.description, ...examples(resource.type), ...importText(resource)].join("\n\n");
}

/** Description and example of a component, in Markdown. */
export function componentText({ type, description }: Component): string {
  return [description, ...examples(type)].join("\n\n");
}

/** Description and example of a function, in Markdown. */
export function functionText({ name, description }: PreviewenvFunction): string {
  return [description, ...examples(name)].join("\n\n");
}

/** Generators of SDKs cut the examples of other languages out between these marks. */
function examples(name: string): readonly string[] {
  const folder = path.join(SNIPPETS, fileName(name));
  if (!existsSync(folder)) return [];
  return [
    "{{% examples %}}\n{{% example %}}\n## Example Usage",
    ...languages.map(([language, file]) => `\`\`\`${language}\n${snippet(path.join(folder, file))}\n\`\`\``),
    "{{% /example %}}\n{{% /examples %}}",
  ];
}

function snippet(file: string): string {
  return readFileSync(file, "utf8").trim();
}

function importText({ type, importFormat, importDescription }: Resource): readonly string[] {
  if (importFormat === undefined) return ["## Import", `Cannot be imported. ${importDescription}`];
  return [
    "## Import",
    `The id is ${importForms(importFormat)}. ${importDescription}`,
    `\`\`\`sh\n$ pulumi import previewenv:index:${type} name <id>\n\`\`\``,
  ];
}
