import { contentOf } from "../nodejs/text";
import {
  defaultOf,
  descriptionOf,
  type Marks,
  noMarks,
  propertiesOfShape,
  type Property,
  remarks,
  type Shape,
} from "../properties";

/** A line break within a cell. */
const LINE = "<br>";

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => {
    const texts = cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " "));
    return `| ${texts.join(" | ")} |`;
  });
  return lines.join("\n");
}

/** The inputs that a program may write. */
export function inputTable(inputs: readonly Property[], marks: Marks = noMarks): string {
  const rows = inputs.map((input) => {
    const fallback = defaultOf(input);
    const sentences = [
      descriptionOf(input, LINE),
      ...(fallback === undefined ? [] : [`Default: \`${fallback}\`.`]),
      ...remarks(marks, input),
    ];
    const separator = input.shape.enum === undefined ? " " : LINE;
    return [`\`${input.name}\``, kind(input.shape), input.required ? "yes" : "no", sentences.join(separator)];
  });
  return table(["name", "type", "required", "what it is"], rows);
}

/** The results. */
export function outputTable(outputs: readonly Property[]): string {
  const rows = outputs.map((output) => [
    `\`${output.name}\``,
    kind(output.shape),
    `${descriptionOf(output)}${output.required ? "" : " May be missing."}`,
  ]);
  return table(["name", "type", "what it is"], rows);
}

/** A table for the fields of each object within properties, as `tableOf` writes it. */
export function nestedTables(
  properties: readonly Property[],
  tableOf: (fields: readonly Property[]) => string,
): readonly string[] {
  return properties.flatMap(({ name, shape }) => {
    const content = contentOf(shape);
    const fields = propertiesOfShape(content ?? shape);
    if (fields.length === 0) return [];
    const each = shape.type === "array" ? "Each of " : "Each entry of ";
    return [`${content === undefined ? "" : each}\`${name}\`:`, tableOf(fields), ...nestedTables(fields, tableOf)];
  });
}

/** A type in words. */
function kind(shape: Shape): string {
  if (shape.enum !== undefined) return shape.enum.map((one) => `\`"${one}"\``).join(" or ");
  if (shape.properties !== undefined) {
    const names = propertiesOfShape(shape).map(({ name, required }) => (required ? name : `${name}?`));
    return `\`{${names.join(", ")}}\``;
  }
  if (shape.type === "array") return `list of ${kind(shape.items ?? {})}`;
  if (shape.type === "object")
    return `map of ${typeof shape.additionalProperties === "object" ? kind(shape.additionalProperties) : "anything"}`;
  return shape.type ?? "anything";
}
