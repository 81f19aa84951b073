import type { Resource } from "../../../provider/src/framework/resource";
import { importForms } from "../remarks";
import { importing, snippetsOf } from "../snippets";
import { languages } from "./languages";

/** Description and example of what a program can name, in Markdown, with more paragraphs. */
export function documentation(name: string, description: string, more: readonly string[] = []): string {
  return [description, ...examples(name), ...more].join("\n\n");
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

/** How a resource is imported. */
export function importText({ type, importFormat, importDescription }: Resource): readonly string[] {
  if (importFormat === undefined) return ["## Import", `Cannot be imported. ${importDescription}`];
  return [
    "## Import",
    `The id is ${importForms(importFormat)}. ${importDescription}`,
    `\`\`\`sh\n$ pulumi import previewenv:index:${type} name <id>\n\`\`\``,
  ];
}
