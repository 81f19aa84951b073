// `npm start`: the quickstart on a sandbox, step by step, with the real Pulumi CLI. Each step checks what it shows, so CI runs it as a test.
import { constants } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { CheckFailedError } from "./guide";
import { CliError } from "./pulumi";
import { runSandboxTour } from "./sandbox-tour";
import { Screen } from "./screen";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
/** Settings of a real service, which the tour must not touch. */
const SERVICE_SETTINGS = ["PREVIEWENV_BASE_URL", "PREVIEWENV_API_TOKEN"];
const EXIT_SIGNAL_BASE = 128;
const MS_PER_SECOND = 1000;

/** The user, or whoever reads the output, wants no more of it. */
class StoppedError extends Error {
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGPIPE") {
    super(`stopped by ${signal}`);
    this.exitCode = EXIT_SIGNAL_BASE + constants.signals[signal];
  }
}

async function main(): Promise<number> {
  const isColoured = process.stdout.isTTY && !process.env["NO_COLOR"];
  const screen = new Screen((text) => process.stdout.write(text), isColoured);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => stop.abort(new StoppedError(signal)));
  }
  // `npm start | head`: there is nobody left to show anything to.
  process.stdout.on("error", () => stop.abort(new StoppedError("SIGPIPE")));
  if (process.argv.length > 2) {
    console.error("usage: npm start   (the tour takes no arguments)");
    return EXIT_USAGE;
  }
  if (SERVICE_SETTINGS.some((name) => process.env[name]))
    screen.say(`${SERVICE_SETTINGS.join(" and ")} are not used: the tour starts a sandbox of its own.\n`);
  const start = Date.now();
  await runSandboxTour(screen, stop.signal);
  screen.say(`\nEvery check passed, in ${Math.round((Date.now() - start) / MS_PER_SECOND)} s.`);
  screen.say(farewell(process.env["PREVIEWENV_PULUMI_BIN"]));
  return 0;
}

function farewell(cliFolder: string | undefined): string {
  const folders = [join(resolve(__dirname, "..", ".."), "node_modules", ".bin"), cliFolder, "$PATH"].join(delimiter);
  return [
    "To play by hand: `npm run sandbox` in one terminal, and in another the commands of examples/quickstart/README.md from `export` on.",
    ...(cliFolder ? [`If that terminal knows no pulumi: export PATH="${folders}"`] : []),
  ].join("\n");
}

function explain(error: unknown): number {
  if (error instanceof StoppedError) {
    console.error(`\n${error.message}: the sandbox and the folders of the tour are gone`);
    return error.exitCode;
  }
  if (error instanceof CheckFailedError) console.error(`\nCHECK FAILED: ${error.message}`);
  else console.error(error instanceof CliError ? error.message : error);
  return EXIT_FAILED;
}

async function run(): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.exitCode = explain(error);
  }
}

void run();
