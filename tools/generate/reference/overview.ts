import { propertiesOf } from "../properties";
import type { Declarations } from "./page";
import { table } from "./tables";
import { type Written, writtenDeclarations } from "./written";

/** Every resource, component and function with one sentence each. */
export function overview({ resources, components, functions }: Declarations): readonly string[] {
  const inputsOf = (inputs: Parameters<typeof propertiesOf>[0]): string =>
    propertiesOf(inputs, "input")
      .map(({ name }) => `\`${name}\``)
      .join(", ");
  const { previewEnvironments, previewEnvironmentsArgs, provider, existing, variablesFromDotenv } =
    writtenDeclarations();
  const ofTypeScript = ({ name, description }: Written, args: readonly string[]): readonly string[] => [
    link(name),
    `${firstSentence(description)} Only in TypeScript.`,
    args.map((arg) => `\`${arg}\``).join(", "),
  ];
  return [
    ...table(
      ["resource", "what it is", "inputs"],
      [
        ...[...resources, ...components].map(({ type, description, inputs }) => [
          link(type),
          firstSentence(description),
          inputsOf(inputs),
        ]),
        ofTypeScript(
          previewEnvironments,
          previewEnvironmentsArgs.members.map(({ name }) => name),
        ),
        [link(provider.name), firstSentence(provider.description), "[settings](#settings)"],
      ],
    ),
    ...table(
      ["function", "what it does", "arguments"],
      [
        ...functions.map(({ name, description, inputs }) => [link(name), firstSentence(description), inputsOf(inputs)]),
        [link(existing.name), firstSentence(existing.description), ""],
        ofTypeScript(variablesFromDotenv, ["source", "options"]),
      ],
    ),
    "The `get...` functions ask the service in a preview too. Their `...Output` forms wait for the resources that the arguments come " +
      "from. When a preview does not know an argument, it does not know the result either.",
    "",
  ];
}

function link(name: string): string {
  return `[\`${name}\`](#${name.toLowerCase()})`;
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/su.exec(text)?.[0].replace(/:$/u, ".") ?? text;
}
