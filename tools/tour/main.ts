// `npm start`: the quickstart on a sandbox, step by step, with the real Pulumi CLI. Each step checks what it shows, so CI runs it as a test.
import { constants } from "node:os";
import { delimiter, resolve } from "node:path";
import { startSandbox } from "../../provider/src/sandbox";
import { Guide, say, TourError } from "./guide";
import { showSteps } from "./steps";
import { openWorkspace } from "./workspace";

const EXIT_SIGNAL_BASE = 128;
const MS_PER_SECOND = 1000;
/** Settings of a real service, which the tour must not touch. */
const SERVICE_SETTINGS = ["PREVIEWENV_BASE_URL", "PREVIEWENV_API_TOKEN"];

const stop = new AbortController();

/** The user, or whoever reads the output, wants no more of it. */
function stopBy(signal: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGPIPE"): void {
  process.exitCode = EXIT_SIGNAL_BASE + constants.signals[signal];
  stop.abort(new TourError(`stopped by ${signal}: the sandbox and the folders of the tour are gone`));
}

/** The whole tour, on a sandbox and in folders that end with it. */
async function tour(): Promise<void> {
  const start = Date.now();
  await using sandbox = await startSandbox({ buildSeconds: 1 });
  using workspace = openWorkspace({ PREVIEWENV_BASE_URL: sandbox.url, PREVIEWENV_API_TOKEN: sandbox.token });
  say("The tour of pulumi-previewenv: a copy of examples/quickstart, the real Pulumi CLI, a service in memory.");
  say(`The service is at ${sandbox.url}; the CLI knows it by PREVIEWENV_BASE_URL and PREVIEWENV_API_TOKEN.`);
  await showSteps(new Guide(sandbox, workspace, stop.signal));
  say(`\nEvery check passed, in ${Math.round((Date.now() - start) / MS_PER_SECOND)} s.`);
  say(
    "To play by hand: `npm run sandbox` in one terminal, and in another the commands of examples/quickstart/README.md from `export` on.",
  );
  const folders = [resolve("node_modules", ".bin"), process.env["PREVIEWENV_PULUMI_BIN"], "$PATH"];
  say(`If that terminal knows no pulumi: export PATH="${folders.join(delimiter)}"`);
}

async function main(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopBy(signal));
  // `npm start | head`: there is nobody left to show anything to.
  process.stdout.on("error", () => stopBy("SIGPIPE"));
  if (SERVICE_SETTINGS.some((name) => process.env[name]))
    say(`${SERVICE_SETTINGS.join(" and ")} are not used: the tour starts a sandbox of its own.\n`);
  try {
    await tour();
  } catch (error) {
    console.error(error instanceof TourError ? `\n${error.message}` : error);
    process.exitCode ??= 1;
  }
}

void main();
