import { descriptionOf, propertiesOfShape, type Property, type Shape } from "../properties";
import { defaultOf, type Marks, remarks } from "../properties";

/** A line break within a cell. */
const LINE = "<br>";

/** A row of a Markdown table. */
export function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

/** A Markdown table with an empty line after it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [row(...head), row(...head.map(() => "---")), ...rows.map((cells) => row(...cells)), ""];
}

/** What a program may write. */
export function inputTable(inputs: readonly Property[], facts: Marks): readonly string[] {
  const rows = inputs.map((input) => [
    `\`${input.name}\``,
    kind(input.shape),
    input.required ? "yes" : "no",
    [descriptionOf(input, LINE), ...defaultSentence(input), ...remarks(facts, input)].join(
      input.shape.enum === undefined ? " " : LINE,
    ),
  ]);
  return table(["name", "type", "required", "what it is"], rows);
}

function defaultSentence(input: Property): readonly string[] {
  const value = defaultOf(input);
  return value === undefined ? [] : [`Default: \`${value}\`.`];
}

/** What is given back. */
export function outputTable(outputs: readonly Property[]): readonly string[] {
  const rows = outputs.map((output) => [
    `\`${output.name}\``,
    kind(output.shape),
    `${descriptionOf(output)}${output.required ? "" : " May be missing."}`,
  ]);
  return table(["name", "type", "what it is"], rows);
}

/** The fields of objects within outputs: a table for each kind of object. */
export function itemTables(outputs: readonly Property[]): readonly string[] {
  const tables = new Map<string, { readonly names: string[]; readonly fields: readonly Property[] }>();
  for (const { name, shape } of outputs) {
    const fields = propertiesOfShape(shape.items ?? shape);
    if (fields.length === 0) continue;
    const key = JSON.stringify(fields);
    const found = tables.get(key) ?? { names: [], fields };
    found.names.push(shape.items === undefined ? `\`${name}\`` : `Each of \`${name}\``);
    tables.set(key, found);
  }
  return [...tables.values()].flatMap(({ names, fields }) => [
    `${names.join(" and ").replaceAll(" and Each", " and each")}:`,
    "",
    ...outputTable(fields),
    ...itemTables(fields),
  ]);
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
