// `npm start`: the quickstart on a sandbox, step by step, with the real Pulumi CLI. Each step checks what it shows, so CI runs it as a test.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual, stripVTControlCharacters, styleText } from "node:util";
import { type JournalEntry, type Sandbox, SEED, startSandbox } from "../../provider/src/sandbox";
import { pulumiEnvironment } from "./pulumi-environment";

const EXIT_SIGNAL_BASE = 128;
const MS_PER_SECOND = 1000;
const RULE_WIDTH = 100;
const REMOVAL_ATTEMPTS = 5;
const ROOT = resolve(__dirname, "..", "..");
const QUICKSTART = join(ROOT, "examples", "quickstart");
/** Settings of a real service, which the tour must not touch. */
const SERVICE_SETTINGS = ["PREVIEWENV_BASE_URL", "PREVIEWENV_API_TOKEN"];
/** Values for the tour only. They are not secrets. */
const DEMO = {
  databaseUrl: "postgres://shop:demo@db.internal/shop",
  editedByHand: "postgres://somebody:else@db.internal/shop",
  rotatedDatabaseUrl: "postgres://shop:rotated@db.internal/shop",
} as const;
/** The environment of the tour: pull request 42 of the repository `web`. */
const ID = SEED.shopPullRequest;
const DECLARED = ["DATABASE_URL", "FEATURE_CHECKOUT", "LOG_LEVEL"];

/** A check of the tour failed, or somebody stopped it. The message is all that is to be shown. */
class TourError extends Error {}

/** A line, or several, of the tour's own. */
function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The real CLI in a copy of the quickstart, the service, and checks that are shown. Disposing of it removes its folders. */
class Tour implements Disposable {
  readonly sandbox: Sandbox;
  readonly #folder = mkdtempSync(join(tmpdir(), "previewenv-tour-"));
  readonly #program = join(this.#folder, "quickstart");
  /** The program. */
  readonly file = join(this.#program, "index.ts");
  readonly #signal: AbortSignal;
  #step = 0;
  #mark = 0;

  /** @param signal Ends the tour before the next command. Its reason is thrown then. */
  constructor(sandbox: Sandbox, signal: AbortSignal) {
    this.sandbox = sandbox;
    this.#signal = signal;
    for (const name of ["home", "backend", "quickstart"]) mkdirSync(join(this.#folder, name));
    for (const entry of readdirSync(QUICKSTART, { withFileTypes: true }))
      if (entry.isFile()) copyFileSync(join(QUICKSTART, entry.name), join(this.#program, entry.name));
    symlinkSync(join(ROOT, "node_modules"), join(this.#folder, "node_modules"), "junction");
  }

  /** Shows where a step begins, and what to look at. */
  begin(title: string, lookAt: string): void {
    say(`\n${styleText("bold", `== ${this.#step++}. ${title} `.padEnd(RULE_WIDTH, "="))}\nlook at: ${lookAt}`);
  }

  /** Runs a command of Pulumi that must succeed, and gives what it printed, without colours. */
  async succeed(...words: readonly string[]): Promise<string> {
    const { exitCode, output } = await this.run(...words);
    if (exitCode !== 0) throw new TourError(`CHECK FAILED: pulumi ${words.join(" ")} ended with exit code ${exitCode}`);
    return output;
  }

  /** Shows what was checked. @throws TourError when it does not hold. */
  check(claim: string, holds: boolean): void {
    if (!holds) throw new TourError(`CHECK FAILED: ${claim}`);
    say(`  ${styleText("green", "ok:")} ${claim}`);
  }

  /** The requests of the command that ran last. */
  get requests(): readonly JournalEntry[] {
    return this.sandbox.journal.since(this.#mark);
  }

  /** The names of the variables that the last command sent, one list a PUT, sorted. */
  get sentNames(): readonly (readonly string[])[] {
    return this.requests.filter(({ label }) => label === "PUT /env-vars").map(({ names = [] }) => names.toSorted());
  }

  /** Runs a command of Pulumi, and gives what it printed, without colours. */
  async run(...words: readonly string[]): Promise<{ readonly exitCode: number; readonly output: string }> {
    this.#signal.throwIfAborted();
    this.#mark = this.sandbox.journal.mark();
    say(`\n${styleText("bold", `$ pulumi ${words.join(" ")}`)}`);
    const color = process.stdout.isTTY && !process.env["NO_COLOR"] ? "always" : "never";
    // A Ctrl-C reaches it, too: it is in the group of this process.
    const child = spawn("pulumi", [...words, "--non-interactive", "--color", color], {
      cwd: this.#program,
      env: this.#environment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines: string[] = [];
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on("line", (line) => {
        lines.push(line);
        say(`  | ${line}`.trimEnd());
      });
    const [code]: unknown[] = await once(child, "close");
    this.#signal.throwIfAborted();
    return { exitCode: Number(code ?? 1), output: stripVTControlCharacters(lines.join("\n")) };
  }

  /** The variables of this process, without any that would lead the CLI, or the provider, to somewhere else. */
  #environment(): NodeJS.ProcessEnv {
    const others = Object.entries(process.env).filter(([name]) => !/^(?:PULUMI_|PREVIEWENV_|TS_NODE_)/iu.test(name));
    return {
      ...Object.fromEntries(others),
      PREVIEWENV_BASE_URL: this.sandbox.url,
      PREVIEWENV_API_TOKEN: this.sandbox.token,
      ...pulumiEnvironment(join(this.#folder, "home"), join(this.#folder, "backend")),
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      // Every command starts the same two Node programs anew: they load faster when compiled once.
      NODE_COMPILE_CACHE: join(this.#folder, "compiled"),
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: REMOVAL_ATTEMPTS });
  }
}

/** The tour. @throws TourError when a check fails */
export async function showSteps(tour: Tour): Promise<void> {
  await createStack(tour);
  await createEverything(tour);
  await previewNothing(tour);
  changeByHand(tour);
  await showDrift(tour);
  await heal(tour);
  await survivePartialFailure(tour);
  await destroy(tour);
}

async function createStack(tour: Tour): Promise<void> {
  tour.begin("a stack and its secret", "the secret is encrypted in the stack's config; it is a demo value");
  await tour.succeed("stack", "init", "tour");
  await tour.succeed("config", "set", "--secret", "databaseUrl", DEMO.databaseUrl);
}

async function createEverything(tour: Tour): Promise<void> {
  tour.begin("pulumi up, from nothing", "one PUT with three variables, and `up` waits for the build");
  await tour.succeed("up", "--yes", "--skip-preview");
  tour.check("one PUT carried all three variables", isDeepStrictEqual(tour.sentNames, [DECLARED]));
  tour.check("one branch change, and one build that `up` has waited for", isRebuilt(tour, "PATCH /environment"));
  tour.check("the repository web is on feature/checkout", isOnFeatureBranch(tour));
}

async function previewNothing(tour: Tour): Promise<void> {
  tour.begin("nothing to do", "everything unchanged, although the service was asked");
  await tour.succeed("preview", "--expect-no-changes");
  tour.check("the service was read only", isReadOnly(tour));
}

function changeByHand(tour: Tour): void {
  tour.begin("somebody changes three things by hand", "three changes that Pulumi knows nothing of");
  const { world } = tour.sandbox;
  world.setVariable(ID, { name: "DATABASE_URL", value: DEMO.editedByHand, hidden: true, services: ["web", "worker"] });
  say("  by hand: DATABASE_URL, a hidden variable, gets another value");
  world.deleteVariable(ID, "LOG_LEVEL");
  say("  by hand: LOG_LEVEL is deleted");
  world.switchBranch(ID, "web", "main");
  say("  by hand: the repository web is switched to the branch main");
}

async function showDrift(tour: Tour): Promise<void> {
  tour.begin("what was changed", "the (update) blocks name exactly those three, and no hidden value");
  const output = await tour.succeed("preview", "--refresh", "--diff");
  const named = changedNames(output);
  const isNamed = (name: string): boolean => named.has(name);
  tour.check("it names all three", ["DATABASE_URL", "LOG_LEVEL", "web"].every(isNamed));
  tour.check("and no other variable or repository", !["FEATURE_CHECKOUT", "NODE_ENV", "api"].some(isNamed));
  tour.check("no hidden value is shown", !output.includes(DEMO.editedByHand) && !output.includes(DEMO.databaseUrl));
  tour.check("the service was read only", isReadOnly(tour));
}

async function heal(tour: Tour): Promise<void> {
  tour.begin("put it back", "one PUT with two variables, one branch change, one build");
  await tour.succeed("up", "--yes", "--refresh", "--skip-preview");
  const expected = [["DATABASE_URL", "LOG_LEVEL"]];
  tour.check("one PUT carried just these two variables", isDeepStrictEqual(tour.sentNames, expected));
  tour.check("DATABASE_URL is as declared again", valueOf(tour, "DATABASE_URL") === DEMO.databaseUrl);
  tour.check("one branch change put web back, with one build", isRebuilt(tour, "PATCH /environment"));
}

async function survivePartialFailure(tour: Tour): Promise<void> {
  tour.begin("a service that refuses one variable", "the error names that variable, and the next `up` sends just that");
  await tour.succeed("config", "set", "--secret", "databaseUrl", DEMO.rotatedDatabaseUrl);
  writeFileSync(tour.file, readFileSync(tour.file, "utf8").replace('LOG_LEVEL: "debug"', 'LOG_LEVEL: "info"'));
  say('  in index.ts: LOG_LEVEL: "debug" becomes "info"');
  tour.sandbox.faults.add({ refuse: { LOG_LEVEL: "the store did not answer" } });
  say("  by hand: the service will refuse LOG_LEVEL, once");
  const { exitCode, output } = await tour.run("up", "--yes", "--skip-preview");
  tour.check("the command fails: a CI job would stop here", exitCode !== 0);
  tour.check("the error names LOG_LEVEL and the service's reason", /LOG_LEVEL.*the store did not answer/u.test(output));
  tour.check("DATABASE_URL is stored", valueOf(tour, "DATABASE_URL") === DEMO.rotatedDatabaseUrl);
  tour.check("LOG_LEVEL is as before", valueOf(tour, "LOG_LEVEL") === "debug");

  await tour.succeed("up", "--yes", "--skip-preview");
  tour.check("the next up sent just LOG_LEVEL", isDeepStrictEqual(tour.sentNames, [["LOG_LEVEL"]]));
  tour.check("and rebuilt once, since variables have changed", isRebuilt(tour, "POST /rebuild"));
}

async function destroy(tour: Tour): Promise<void> {
  tour.begin("destroy", "the declared variables go; those that others made stay, and so does the branch");
  const others = ["NODE_ENV", "PAYMENT_PROVIDER", "SESSION_KEY", "SMTP_PASSWORD"];
  await tour.succeed("destroy", "--yes", "--skip-preview");
  const left = tour.sandbox.world.variables(ID).map(({ name }) => name);
  tour.check(`left are the unmanaged variables: ${others.join(", ")}`, isDeepStrictEqual(left.toSorted(), others));
  tour.check("the branch is kept", isOnFeatureBranch(tour));
}

/** A variable as the service has it, with its real value. */
function valueOf({ sandbox }: Tour, name: string): string | undefined {
  return sandbox.world.variable(ID, name)?.value;
}

function isOnFeatureBranch(tour: Tour): boolean {
  const web = tour.sandbox.world.environments.get(ID)?.projects.find(({ repoName }) => repoName === "web");
  return web?.branch === "feature/checkout";
}

/** Whether the last command queued one build, by the given request, and has waited until the environment runs. */
function isRebuilt(tour: Tour, label: string): boolean {
  const { requests, sandbox } = tour;
  const environment = sandbox.world.environments.get(ID);
  const queued = requests.filter((request) => ["PATCH", "POST"].includes(request.method));
  return queued.length === 1 && queued[0]?.label === label && environment?.ready === true && !environment.processing;
}

function isReadOnly({ requests }: Tour): boolean {
  return requests.length > 0 && requests.every(({ method }) => method === "GET");
}

const MARKED_LINE = /^\s*[~+-]\s+"?([\w.-]+)"?\s*:\s/u;

/** The names that a `--diff` of the CLI marks as added, changed or removed (`~ LOG_LEVEL: ...`). */
function changedNames(output: string): ReadonlySet<string> {
  return new Set(output.split("\n").flatMap((line) => MARKED_LINE.exec(line)?.[1] ?? []));
}

const stop = new AbortController();

/** Nobody wants more of the output. */
function stopBy(signal: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGPIPE"): void {
  process.exitCode = EXIT_SIGNAL_BASE + constants.signals[signal];
  stop.abort(new TourError(`stopped by ${signal}: the sandbox and the folders of the tour are gone`));
}

/** The whole tour, on a sandbox and in folders that end with it. */
async function takeTour(): Promise<void> {
  const start = Date.now();
  await using sandbox = await startSandbox({ buildSeconds: 1 });
  using tour = new Tour(sandbox, stop.signal);
  say("The tour of pulumi-previewenv: a copy of examples/quickstart, the real Pulumi CLI, a service in memory.");
  say(`The service is at ${sandbox.url}; the CLI knows it by PREVIEWENV_BASE_URL and PREVIEWENV_API_TOKEN.`);
  await showSteps(tour);
  say(`\nEvery check passed, in ${Math.round((Date.now() - start) / MS_PER_SECOND)} s.`);
  say(
    "To play by hand: `npm run sandbox` in one terminal, and in another the commands of examples/quickstart/README.md.",
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
    await takeTour();
  } catch (error) {
    console.error(error instanceof TourError ? `\n${error.message}` : error);
    process.exitCode ??= 1;
  }
}

void main();
