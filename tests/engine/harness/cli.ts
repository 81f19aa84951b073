import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { pulumiEnvironment } from "../../../tools/tour/pulumi-environment";

/** How one CLI call ended, and everything it printed. */
export interface Run {
  readonly args: readonly string[];
  /** -1 when a signal ended it. */
  readonly code: number;
  readonly stdout: string;
  /** Both streams, in the order in which they came. */
  readonly text: string;
}

export interface Started {
  readonly done: Promise<Run>;
  printed(): string;
  /** What Ctrl-C does in a terminal, to the CLI alone. */
  interrupt(): void;
  /** Ends the CLI and everything it has started, at once. */
  kill(): void;
}

export interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Against hanging only. */
const LIMIT_MS = 600_000;

/** What a run needs of this process's environment. Its settings, tokens and coverage folder stay out. */
const INHERITED = ["PATH", "TMPDIR", "LANG", "SystemRoot", "PATHEXT", "TEMP", "TMP"];

/** Each test makes some calls, and each call starts up to five processes: these spare them a third of their CPU time. */
export const FASTER = {
  NODE_COMPILE_CACHE: join(__dirname, "..", "..", "..", "node_modules", ".cache", "previewenv", "v8"),
  NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "lazy-modules.cjs"))}`,
  // The programs in Go end before they have garbage worth collecting.
  GOGC: "off",
  GOMEMLIMIT: "256MiB",
};

/** An environment in which nothing leaves `home` and nothing is asked of Pulumi's servers. */
export function isolated(home: string, backend: string): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  // The set-up names here the folder of the CLI it has chosen.
  const folder = process.env["PREVIEWENV_PULUMI_BIN"];
  return {
    ...kept,
    ...(folder && { PATH: `${folder}${delimiter}${kept["PATH"] ?? ""}` }),
    HOME: home,
    ...FASTER,
    ...pulumiEnvironment(home, backend),
  };
}

/** Starts the Pulumi CLI. */
export function startPulumi(place: Place, args: readonly string[]): Started {
  return start(place, "pulumi", [...args, "--non-interactive", "--color", "never"]);
}

/** Starts a program. The run rejects when there is none, or when it takes longer than ten minutes. */
export function start({ folder, env }: Place, program: string, args: readonly string[]): Started {
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const all: Buffer[] = [];
  const kill = (): void => killTree(child);
  return {
    done: ended(child, [program, ...args], all, kill),
    printed: () => Buffer.concat(all).toString(),
    interrupt: () => void child.kill("SIGINT"),
    kill,
  };
}

function ended(child: ChildProcess, args: readonly string[], all: Buffer[], kill: () => void): Promise<Run> {
  const out: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => (out.push(chunk), all.push(chunk)));
  child.stderr?.on("data", (chunk: Buffer) => all.push(chunk));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      kill();
      reject(new Error(`${args.join(" ")} took longer than ${LIMIT_MS} ms:\n${Buffer.concat(all).toString()}`));
    }, LIMIT_MS);
    child.once("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const hint = `no ${args[0]} on PATH: run the specs with \`npm test\`, which sets up the Pulumi CLI`;
      reject(error.code === "ENOENT" ? new Error(hint) : error);
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ args, code: code ?? -1, stdout: Buffer.concat(out).toString(), text: Buffer.concat(all).toString() });
    });
  });
}

/** The engine gives each provider a process group of its own, so the tree is walked instead. */
function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const parents = lines.map((line) => line.trim().split(/\s+/u).map(Number));
  const tree = new Set([pid]);
  // A set that grows while it is walked is walked to its end.
  for (const parent of tree)
    for (const [child, of] of parents) if (of === parent && child !== undefined) tree.add(child);
  for (const member of tree) {
    try {
      process.kill(member, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}
