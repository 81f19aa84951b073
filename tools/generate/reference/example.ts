import { snippetsOf } from "../snippets";

/** The example of a resource or function: in TypeScript as it is, in each other language behind its name. */
export function example(name: string): readonly string[] {
  return [
    "### Example",
    "",
    ...snippetsOf(name).flatMap(({ language, title, file, text }) => {
      const program = [`<!-- part of ${file} -->`, "```" + language, text, "```", ""];
      return language === "typescript"
        ? program
        : ["<details>", `<summary>${title}</summary>`, "", ...program, "</details>", ""];
    }),
  ];
}
