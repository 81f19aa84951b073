import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { withFirstLine } from "../first-line";
import { complete } from "./complete";
import { findProgram } from "./programs";

const run = promisify(execFile);
const SCHEMA = "provider/schema.json";
const LOGO = path.join(__dirname, "..", "..", "..", "docs", "logo.png");

/** A language whose SDK the Pulumi CLI generates from provider/schema.json into sdk/<name>. */
export interface Language {
  /** As `pulumi package gen-sdk --language` has it. */
  readonly name: "dotnet" | "go" | "java" | "python";
  /** The program that does it, which Pulumi's own installations bring along. */
  readonly host: string;
  /** Files of the folder that are not generated. */
  readonly kept: readonly string[];
  /** The generator downloads a logo, by default from GitHub. */
  readonly wantsLogo?: boolean;
}

/** Every language whose SDK is generated. */
export const languages: readonly Language[] = [
  { name: "python", host: "pulumi-language-python", kept: [] },
  // The generator asks for an SDK of 2022, which lacks what the generated code calls. `go mod tidy` wrote ours.
  { name: "go", host: "pulumi-language-go", kept: ["go.mod", "go.sum"] },
  { name: "dotnet", host: "pulumi-language-dotnet", kept: [], wantsLogo: true },
  { name: "java", host: "pulumi-language-java", kept: [] },
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
export async function generateSdk(pulumi: string, language: Language, schema: string, target: string): Promise<void> {
  // The CLI keeps settings and logs in a home.
  const home = mkdtempSync(path.join(tmpdir(), "previewenv-pulumi-home-"));
  const env = { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const generate = async (source: string): Promise<void> => {
    await run(pulumi, ["package", "gen-sdk", source, "--language", language.name, "--out", target], { env });
  };
  try {
    await (language.wantsLogo === true ? withLogo(schema, home, generate) : generate(schema));
    complete(path.join(target, language.name), language.name);
    for (const file of filesOf(path.join(target, language.name))) finish(file);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function filesOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
}

function finish(file: string): void {
  const before = readFileSync(file, "utf8");
  const after = withFirstLine(file, before, SCHEMA, "generate:sdks");
  if (after !== before) writeFileSync(file, after);
}

/** Runs `work` with a copy of the schema, in `folder`, whose logo is served on this machine while `work` runs. */
async function withLogo(schema: string, folder: string, work: (schema: string) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => response.end(readFileSync(LOGO)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const copy = path.join(folder, "schema.json");
    const spec: object = JSON.parse(readFileSync(schema, "utf8"));
    writeFileSync(copy, JSON.stringify({ ...spec, logoUrl: `http://127.0.0.1:${port}/logo.png` }));
    await work(copy);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
