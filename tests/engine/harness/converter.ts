import { execFileSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { findProgram } from "../../../tools/generate/sdks/programs";

const ROOT = resolve(__dirname, "..", "..", "..");
const CONVERTER = "pulumi-converter-yaml";

/** What a CLI of today says of a language host of 2025, after it has written the program. */
export const OLD_HOST = /failed to link SDK to project: .*error unmarshalling request/u;

/** The folder of the converter: Pulumi's own, or one that is built from the modules of the YAML host. `undefined`: there is no Go. */
export function provideConverter(folder: string): string | undefined {
  const found = findProgram(CONVERTER);
  if (found !== undefined) return dirname(found);
  const go = findProgram("go");
  if (go === undefined) return undefined;
  const target = join(folder, "bin");
  // The flags of the set-up, whose results Go then finds in its cache.
  const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w"];
  execFileSync(go, ["build", ...flags, "-o", `${target}/`, `github.com/pulumi/pulumi-yaml/cmd/${CONVERTER}`], {
    cwd: join(ROOT, "tools", "setup", "pulumi", "modules", "yaml-host"),
    env: { ...process.env, GOWORK: "off" },
    stdio: "pipe",
  });
  return target;
}
