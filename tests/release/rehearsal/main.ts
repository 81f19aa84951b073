// Makes a release on this machine: `npm run release:rehearse`. It calls what the release workflow calls, in its order, with registries that it
// starts here, and then runs each language's quickstart with what these have. Nothing leaves the machine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../../package.json";
import { cacheFolder } from "../../../tools/setup/cache-folder.mjs";
import { findOnPath } from "../../../tools/setup/command.mjs";
import { installSteps, neededBy, notTried, type Step, workflowSteps } from "./steps";
import { Registries } from "./registries";

const ROOT = join(__dirname, "..", "..", "..");

/** Runs a step, and gives a line about it. @throws when it fails */
async function call(step: Step, env: NodeJS.ProcessEnv): Promise<string> {
  const { run, language } = step;
  const title = [run, language].join(" ").trim();
  const needed = neededBy(step);
  const isSkipped = needed !== undefined && findOnPath(needed) === undefined;
  console.log(`\n== ${title}${isSkipped ? `: skipped, as there is no ${needed}` : ""}`);
  if (isSkipped) return `skipped  ${title}`;
  const started = Date.now();
  const child = spawn("bash", ["-euo", "pipefail", "-c", run], {
    cwd: ROOT,
    env: { ...env, TAG: `v${version}`, SECONDS_TO_WAIT: "", LANGUAGE_OF_THE_JOB: language },
    stdio: ["ignore", "inherit", "inherit"],
  });
  // The servers of this process answer while it runs.
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${title} ended with ${status ?? "a signal"}`);
  return `${Math.round((Date.now() - started) / 1000)} s  ${title}`;
}

/** The release was a draft until its files were there. @throws when it was not */
function requireOrder(calls: string): void {
  const order = readFileSync(calls, "utf8").match(/^release (?:create|upload|edit)/gmu) ?? [];
  if (order.join() !== "release create,release upload,release edit")
    throw new Error(`gh was called in this order: ${order.join(", ")}`);
}

async function main(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "previewenv-rehearsal-")));
  const started = Date.now();
  try {
    await using registries = new Registries(folder);
    await registries.start(join(cacheFolder(), "rehearsal", "maven"));
    const lines: string[] = [];
    for (const step of [...workflowSteps(), ...installSteps()]) lines.push(await call(step, registries.env));
    requireOrder(registries.calls);
    console.log(`\nThe release of ${version} works, after ${Math.round((Date.now() - started) / 1000)} s:`);
    for (const line of [...lines, "Not tried:", ...notTried]) console.log(`  ${line}`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

void main().catch((error: unknown) => {
  console.error(`\nThe release would fail: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
