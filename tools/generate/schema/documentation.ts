import type { Component } from "../../../provider/src/framework/component";
import type { Resource } from "../../../provider/src/framework/resource";
import type { PreviewenvFunction } from "../../../provider/src/framework/function";
import { importForms } from "../remarks";
import { importing, snippetsOf } from "../snippets";
import { languages } from "./languages";

/** Description, example and import of a resource, in Markdown. */
export function resourceText(resource: Resource): string {
  return [resource.description, ...examples(resource.type), ...importText(resource)].join("\n\n");
}

/** Description and example of a component, in Markdown. */
export function componentText({ type, description }: Component): string {
  return [description, ...examples(type)].join("\n\n");
}

/** Description and example of the provider itself, in Markdown. */
export function providerText(description: string): string {
  return [description, ...examples("provider")].join("\n\n");
}

/** Description and example of a function, in Markdown. */
export function functionText({ name, description }: PreviewenvFunction): string {
  return [description, ...examples(name)].join("\n\n");
}

/** Generators of SDKs cut the examples of other languages out between these marks. */
function examples(name: string): readonly string[] {
  return [
    "{{% examples %}}\n{{% example %}}\n## Example Usage",
    ...snippetsOf(name).map(
      ({ language, text }) =>
        `\`\`\`${language}\n${language === "typescript" ? importing(text, languages.nodejs.packageName) : text}\n\`\`\``,
    ),
    "{{% /example %}}\n{{% /examples %}}",
  ];
}

function importText({ type, importFormat, importDescription }: Resource): readonly string[] {
  if (importFormat === undefined) return ["## Import", `Cannot be imported. ${importDescription}`];
  return [
    "## Import",
    `The id is ${importForms(importFormat)}. ${importDescription}`,
    `\`\`\`sh\n$ pulumi import previewenv:index:${type} name <id>\n\`\`\``,
  ];
}
