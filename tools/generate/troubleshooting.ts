import { readFileSync } from "node:fs";
import { identity } from "../release/owner";

const PAGE = "docs/guides/troubleshooting.md";

/** The address of each part of the page on troubleshooting that an error may name, so that no error names one that is not there. */
export function troubleshooting(): string {
  const anchors = Array.from(
    readFileSync(PAGE, "utf8").matchAll(/^<a id="([\w-]+)"><\/a>$/gmu),
    ([, anchor]) => anchor,
  );
  return [
    `const PAGE = "${identity.repositoryUrl}/blob/HEAD/${PAGE}";`,
    "",
    "/** A part of that page. */",
    `export type TroubleshootingAnchor = ${anchors.map((anchor) => `"${anchor}"`).join(" | ")};`,
    "",
    "/** For the end of an error: where the page says more about it. */",
    "export function see(anchor: TroubleshootingAnchor): string {",
    "  return `See ${PAGE}#${anchor}.`;",
    "}",
    "",
  ].join("\n");
}
