import * as path from "node:path";

type Comment = (text: string) => string;

const slashes: Comment = (text) => `// ${text}\n`;
const hash: Comment = (text) => `# ${text}\n`;
const markup: Comment = (text) => `<!-- ${text} -->\n\n`;

/** How files of a kind write a comment, by the end of their name. A kind that is not here cannot carry one (JSON, pictures). */
const comments: Readonly<Record<string, Comment>> = {
  ".cs": slashes,
  ".csproj": markup,
  ".gitattributes": hash,
  ".gitignore": hash,
  // An empty line keeps the comment apart from the documentation of the package.
  ".go": (text) =>
    `// Code ${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\. Do not edit\.$/u, "; DO NOT EDIT.")}\n\n`,
  ".java": slashes,
  ".md": markup,
  ".props": markup,
  ".py": hash,
  ".pyi": hash,
  ".toml": hash,
  ".xml": markup,
  ".ts": (text) => `${slashes(text)}\n`,
};

/** The first line of every generated file that can carry a comment. */
export const FIRST_LINE = /generated from .+ by `.+`.* do not edit\./iu;

/**
 * The text of a generated file, below a line that says from what, and by which command, it is made.
 * @param command A script of package.json.
 */
export function withFirstLine(file: string, text: string, source: string, command: string): string {
  const comment = comments[path.extname(file) || path.basename(file)];
  return comment === undefined
    ? text
    : comment(`Generated from ${source} by \`npm run ${command}\`. Do not edit.`) + text;
}
