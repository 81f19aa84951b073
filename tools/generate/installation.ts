import { readFileSync } from "node:fs";
import type { Setting } from "../../provider/src/framework/settings";
import { table } from "./reference/tables";

/** Where the page is that people write, and where the table stands in it. */
export const INSTALLATION = "docs/installation-configuration.md";
const BEGIN = "<!-- written by `npm run generate`, from provider/src/framework/settings.ts -->";
const END = "<!-- end -->";

/** The page on installation, with the table of the settings as they are declared now. @throws when it has no place for the table */
export function installation(settings: readonly Setting[]): string {
  const page = readFileSync(INSTALLATION, "utf8");
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error(`${INSTALLATION} lacks "${BEGIN}" or "${END}"`);
  return `${before}${BEGIN}\n\n${settingsTable(settings)}\n\n${END}${after}`;
}

function settingsTable(settings: readonly Setting[]): string {
  const rows = settings.map(({ name, environment, description, secret, optional, default: fallback }) => [
    `\`previewenv:${name}\``,
    `\`${environment}\``,
    fallback === undefined ? (optional === true ? "not set" : "required") : `\`${String(fallback)}\``,
    secret ? `${description} Set it with \`--secret\`.` : description,
  ]);
  return table(["stack config", "environment variable", "default", "what it is"], rows);
}
