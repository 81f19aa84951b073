import { createRequire } from "node:module";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { isMocked } from "./program-run";

const ENTRY = "pulumi-previewenv/dynamic";
let found = false;

/**
 * Fails when the provider process, which starts in the program's folder, would not find this package there. Checked until it
 * was found once; not under mocks, where no provider process starts.
 * @throws pulumi.RunError that says what to install
 */
export function requireDynamicEntry(): void {
  if (found || isMocked()) return;
  requireEntryFrom(process.cwd());
  found = true;
}

/** The same for a given folder, checked each time. */
export function requireEntryFrom(folder: string): void {
  if (process.versions["pnp"] !== undefined)
    throw new pulumi.RunError(
      "pulumi-previewenv does not work with Yarn Plug'n'Play: Pulumi starts the provider with plain Node.js. " +
        "Set `nodeLinker: node-modules` in .yarnrc.yml and run `yarn install`.",
    );
  try {
    // From within node_modules: a package can always resolve itself, and the provider process is not in the package.
    createRequire(path.join(folder, "node_modules", "program.js")).resolve(ENTRY);
  } catch {
    throw new pulumi.RunError(
      `${ENTRY} cannot be found from ${folder}, where Pulumi starts the provider. ` +
        "Make pulumi-previewenv a direct dependency of the program: `npm install pulumi-previewenv`, " +
        "`pnpm add pulumi-previewenv` or `yarn add pulumi-previewenv` (Yarn Plug'n'Play is not supported).",
    );
  }
}
