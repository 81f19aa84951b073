import { readFileSync } from "node:fs";
import * as path from "node:path";
import manifest from "../../package.json";
import { ownerFields } from "../release/manifest";
import { identity } from "../release/owner";

/** Where the package for the native plugin stands; `npm pack` makes it from this folder. */
export const NATIVE_PACKAGE = "sdk/nodejs-native";

/** Its files by name. All of its code is in the main package; this one has a name that npm and Pulumi accept, and the field `pulumi`. */
export function nativePackage(root: string): ReadonlyMap<string, string> {
  return new Map([
    ["package.json", `${JSON.stringify(nativeManifest(), undefined, 2)}\n`],
    ["index.js", `"use strict";\n\nmodule.exports = require("${manifest.name}/native");\n`],
    ["index.d.ts", `export * from "${manifest.name}/native";\n`],
    ["README.md", readme()],
    ["LICENSE", readFileSync(path.join(root, "LICENSE"), "utf8")],
  ]);
}

function nativeManifest(): object {
  const { version, keywords, license, engines, peerDependencies } = manifest;
  const { repository, ...owner } = ownerFields(identity);
  return {
    name: identity.nativeNpmPackage,
    version,
    description: "previewenv for Pulumi programs in TypeScript and JavaScript, served by its native plugin",
    keywords,
    ...owner,
    license,
    repository: { ...repository, directory: NATIVE_PACKAGE },
    files: ["index.js", "index.d.ts"],
    type: "commonjs",
    main: "./index.js",
    types: "./index.d.ts",
    exports: {
      ".": { types: "./index.d.ts", default: "./index.js" },
      "./package.json": "./package.json",
    },
    // Exactly: the plugin that the main package asks for is the one that `pulumi` names below.
    dependencies: { [manifest.name]: version },
    peerDependencies,
    engines,
    // Pulumi's language host reads it, and the CLI then installs the plugin. The main package must not have it: programs with the dynamic
    // provider need no plugin.
    pulumi: { resource: true, name: "previewenv", version, server: identity.pluginDownloadUrl },
  };
}

function readme(): string {
  const { nativeNpmPackage, repositoryUrl } = identity;
  const page = (file: string): string => `${repositoryUrl}/blob/HEAD/${file}`;
  return `# ${nativeNpmPackage}

${manifest.description}, for Pulumi programs in TypeScript and JavaScript that use the native plugin.

\`\`\`sh
npm install ${nativeNpmPackage} @pulumi/pulumi typescript@6
\`\`\`

\`\`\`ts
import * as previewenv from "${nativeNpmPackage}";
\`\`\`

\`pulumi up\` installs the plugin \`pulumi-resource-previewenv\` of the same version when the machine lacks it. The resources and functions are
those of [${manifest.name}](https://www.npmjs.com/package/${manifest.name}), which is installed with this package, and which needs no plugin.
[What the two do differently](${page("docs/guides/hosts.md")}), [the reference](${page("docs/reference.md")}).

${manifest.license}
`;
}
