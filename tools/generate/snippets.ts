import { existsSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { fileName } from "./properties";

/** One program in several languages stands in one folder of this one. */
const SNIPPETS = path.join("examples", "snippets");

/** Every language of the snippets: as Markdown and the SDK generators name it, its title, and its file in a folder. */
export const languages = [
  { name: "typescript", title: "TypeScript", file: "index.ts" },
  { name: "python", title: "Python", file: "__main__.py" },
  { name: "go", title: "Go", file: "main.go" },
  { name: "csharp", title: "C#", file: "Program.cs" },
  { name: "java", title: "Java", file: "App.java" },
  { name: "yaml", title: "YAML", file: "Pulumi.yaml" },
] as const;

/** A language of the snippets. */
export type LanguageName = (typeof languages)[number]["name"];

/** A program that shows one resource or function, in one language. */
export interface Snippet {
  readonly language: LanguageName;
  readonly title: string;
  /** The file of the program, below the checkout. */
  readonly file: string;
  readonly text: string;
}

/** The program of a resource or function in each language that has it, at least in TypeScript. */
export function snippetsOf(name: string): readonly Snippet[] {
  const folder = path.join(SNIPPETS, fileName(name));
  const found = languages.flatMap(({ name: language, title, file }) => {
    const program = path.join(folder, file);
    if (!existsSync(program)) return [];
    return [{ language, title, file: program.replaceAll(path.sep, "/"), text: readFileSync(program, "utf8").trim() }];
  });
  if (found[0]?.language !== "typescript") throw new Error(`${name} has no example: write ${folder}/index.ts`);
  return found;
}

/** The program in TypeScript, for those who import `entry`. The snippets import the main entry of the package. */
export function typescriptSnippet(name: string, entry: string): string {
  const [snippet] = snippetsOf(name);
  return (snippet?.text ?? "").replace('from "pulumi-previewenv"', `from ${JSON.stringify(entry)}`);
}
