import type { Installed, ProductionTree } from "./tree";

/** Licences that ask for no more than that their text is kept. */
export const permissive: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "(BSD-3-Clause AND Apache-2.0)",
  "BlueOak-1.0.0",
  "CC-BY-3.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "PSF-2.0",
  "Python-2.0",
]);

/** Packages whose package.json only points to a text, and what that text is. */
export const readByHand: ReadonlyMap<string, string> = new Map([["@logdna/tail-file", "MIT"]]);

/** The list of licences as a page; without versions, so that an update does not change it. */
export function licenseDocument({ own, peer }: ProductionTree): string {
  return `# Licences of what is installed

This package itself is under Apache-2.0 (LICENSE).

## Installed with the package

${table(own)}

## Installed with the Pulumi SDK

What \`@pulumi/pulumi\`, which every Pulumi program in Node has, brings along or is used with.

${table(peer)}
`;
}

function table(packages: readonly Installed[]): string {
  const rows = packages.map(({ name, license }) => `| ${name} | ${readByHand.get(name) ?? license} |`);
  return ["| package | licence |", "|---|---|", ...rows].join("\n");
}
