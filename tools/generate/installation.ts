import { readFileSync } from "node:fs";
import { type Setting, settings } from "../../provider/src/framework/settings";
import { table } from "./reference/tables";

/** Where the page is that people write, and where the table stands in it. */
export const INSTALLATION = "docs/installation-configuration.md";
const TABLE = /(?<=<!-- written by `npm run generate`, .* -->\n\n)[^]*(?=\n\n<!-- end -->)/u;

/** The page on installation, with the table of the settings as they are declared now. */
export function installation(): string {
  return readFileSync(INSTALLATION, "utf8").replace(TABLE, () => tableOf(settings));
}

function tableOf(all: readonly Setting[]): string {
  const rows = all.map(({ name, environment, description, secret, optional, default: fallback }) => [
    `\`previewenv:${name}\``,
    `\`${environment}\``,
    fallback === undefined ? (optional === true ? "not set" : "required") : `\`${String(fallback)}\``,
    secret ? `${description} Set it with \`--secret\`.` : description,
  ]);
  return table(["stack config", "environment variable", "default", "what it is"], rows);
}
