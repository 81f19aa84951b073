import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { identity } from "../owner";
import type { Commands } from "./commands";

const ROOT = join(__dirname, "..", "..", "..");
const PACKAGER = join(ROOT, "tools", "package", "main.mjs");
const PLATFORM = `${process.platform}-${process.arch}`;

/** Where what is tried comes from: files that are packed now, or the registries. */
export interface Source {
  /** What a package.json says of the npm package. */
  readonly npm: string;
  /** Whether the engine finds the plugin without being told. */
  readonly servesPlugin: boolean;
  /** Makes the plugin available to the engine. */
  readonly installPlugin: (commands: Commands) => void;
}

/** What the registries have, in the version of this checkout. */
export const published: Source = {
  npm: version,
  servesPlugin: true,
  installPlugin: ({ run }) =>
    run("pulumi", "plugin", "install", "resource", "previewenv", version, "--server", identity.pluginDownloadUrl),
};

/** Packs the npm package, which the set-up has built, into a folder. The plugin's archive for this platform when it is asked for. */
export function pack(folder: string, { npm }: Commands): Source {
  const files = join(folder, "packed");
  mkdirSync(files);
  npm("pack", ROOT, "--ignore-scripts", "--pack-destination", files);
  const packed = `${identity.npmPackage.replace("@", "").replace("/", "-")}-${version}.tgz`;
  return {
    npm: `file:${join(files, packed).replaceAll("\\", "/")}`,
    servesPlugin: false,
    installPlugin: ({ run }) => {
      execFileSync(process.execPath, [PACKAGER, "--platform", PLATFORM, "--output", files], { stdio: "inherit" });
      const archive = readdirSync(files).find((name) => name.endsWith(".tar.gz")) ?? "";
      run("pulumi", "plugin", "install", "resource", "previewenv", version, "--file", join(files, archive));
    },
  };
}
