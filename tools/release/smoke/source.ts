import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { identity } from "../owner";
import type { Commands } from "./commands";

const ROOT = join(__dirname, "..", "..", "..");
const NATIVE = join(ROOT, "sdk", "nodejs-native");
const PACKAGER = join(ROOT, "tools", "package", "main.mjs");
const PLATFORM = `${process.platform}-${process.arch}`;

/** Where what is tried comes from: files that are packed now, or the registries. */
export interface Source {
  /** What a package.json says of the npm packages, by their names. */
  readonly npm: Readonly<Record<string, string>>;
  /** Whether the engine finds the plugin without being told. */
  readonly servesPlugin: boolean;
  /** Makes the plugin available to the engine. */
  readonly installPlugin: (commands: Commands) => void;
}

/** What the registries have, in the version of this checkout. */
export const published: Source = {
  npm: { [identity.npmPackage]: version, [identity.nativeNpmPackage]: version },
  servesPlugin: true,
  installPlugin: ({ run }) =>
    run("pulumi", "plugin", "install", "resource", "previewenv", version, "--server", identity.pluginDownloadUrl),
};

/** Packs the npm packages, which the set-up has built, into a folder; the plugin's archive for this platform when it is asked for. */
export function pack(folder: string, { npm }: Commands): Source {
  const files = join(folder, "packed");
  mkdirSync(files);
  npm("pack", ROOT, NATIVE, "--ignore-scripts", "--pack-destination", files);
  const fileOf = (name: string): string => {
    const packed = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
    return `file:${join(files, packed).replaceAll("\\", "/")}`;
  };
  return {
    npm: Object.fromEntries(
      [identity.npmPackage, identity.nativeNpmPackage].map((name) => [name, fileOf(name)] as const),
    ),
    servesPlugin: false,
    installPlugin: ({ run }) => {
      execFileSync(process.execPath, [PACKAGER, "--platform", PLATFORM, "--output", files], { stdio: "inherit" });
      const archive = readdirSync(files).find((name) => name.endsWith(".tar.gz")) ?? "";
      run("pulumi", "plugin", "install", "resource", "previewenv", version, "--file", join(files, archive));
    },
  };
}
