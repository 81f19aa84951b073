import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram } from "../../tools/generate/sdks/programs";
import { load } from "../setup/checkout";
import { ROOT, read } from "./fences";

type GoBuild = (
  module: string,
  programs: readonly string[],
  bin: string,
  context: { root: string; env: NodeJS.ProcessEnv },
) => Promise<void>;

/**
 * The folder of `sops` and `age-keygen`: those on PATH, else built with Go, once for this machine. Skips the caller, and says why, where neither is
 * possible.
 */
export async function sopsFolder(context: Mocha.Context): Promise<string> {
  const [sops, age] = [findProgram("sops"), findProgram("age-keygen")];
  if (sops !== undefined && age !== undefined && dirname(sops) === dirname(age)) return dirname(sops);
  const { cacheFolder } = await load<{ readonly cacheFolder: () => string }>("cache-folder.mjs");
  const [, version] = /getsops\/sops\/v3 (v[\d.]+)/u.exec(read("tools/setup/pulumi/modules/sops/go.mod")) ?? [];
  const folder = join(cacheFolder(), "sops", `${version}-${process.platform}-${process.arch}`);
  if (existsSync(folder)) return folder;
  try {
    const { goBuild } = await load<{ readonly goBuild: GoBuild }>("pulumi/go-build.mjs");
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    await goBuild("sops", ["sops", "age-keygen"], unfinished, { root: ROOT, env: process.env });
    renameSync(unfinished, folder);
    return folder;
  } catch (error) {
    process.stderr.write(`      skipped: Go could not build sops: ${String(error)}\n`);
    return context.skip();
  }
}
