import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { findProgram } from "./programs";

/** A language whose SDK the Pulumi CLI generates from provider/schema.json into sdk/<name>. */
export interface Language {
  /** As `pulumi package gen-sdk --language` has it. */
  readonly name: "dotnet" | "go" | "java" | "python";
  /** The program that does it, which Pulumi's own installations bring along. */
  readonly host: string;
  /** Files of the folder that are not generated. */
  readonly kept: readonly string[];
}

/** Every language whose SDK is generated. */
export const languages: readonly Language[] = [
  { name: "python", host: "pulumi-language-python", kept: [] },
  // The generator asks for an SDK of 2022, which lacks what the generated code calls. `go mod tidy` wrote ours.
  { name: "go", host: "pulumi-language-go", kept: ["go.mod", "go.sum"] },
];

/** What generates the SDK of a language here, or why nothing does. */
export function generatorOf({ host }: Language): { readonly pulumi: string } | { readonly reason: string } {
  const pulumi = findProgram("pulumi");
  if (pulumi === undefined) return { reason: "there is no pulumi on PATH" };
  return findProgram(host) === undefined ? { reason: `there is no ${host} on PATH` } : { pulumi };
}

/**
 * Generates the SDK of a language from the package schema into the folder `target`/<name>.
 * @throws Error with what the CLI says
 */
export function generateSdk(pulumi: string, language: Language, schema: string, target: string): void {
  // The CLI keeps settings and logs in a home.
  const home = mkdtempSync(path.join(tmpdir(), "previewenv-pulumi-home-"));
  try {
    execFileSync(pulumi, ["package", "gen-sdk", schema, "--language", language.name, "--out", target], {
      env: { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" },
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
