import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { MS_PER_SECOND } from "../../provider/src/client/clock";
import { sessionMemory } from "./process-tree";

const SAMPLE_MS = 50;
const MS_PER_MINUTE = 60_000;
const SHOWN_LINES = 30;
/** Runs a command with its output in a file, and prints the CPU times of everything that was waited for. */
const SCRIPT = 'file=$1; shift; "$@" >"$file" 2>&1; code=$?; times; exit $code';

/** What one command cost, with every process that it has started. */
export interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Largest sum of the memory of all processes, looked at every 50 ms. 0 where it is not measured. */
  readonly treeBytes: number;
  /** Largest memory of the provider process. 0 where it is not measured. */
  readonly providerBytes: number;
}

/** Where a command runs. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Gets what the command prints. */
  readonly outputFile: string;
  /** Ends the command, which may take a moment to leave things in order. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command to its end.
 * @throws Error with the end of its output when it fails, and the signal's reason when that has ended it
 */
export async function measure(command: readonly string[], surroundings: Surroundings): Promise<Cost> {
  const { cwd, env, outputFile, signal } = surroundings;
  signal.throwIfAborted();
  const startedMs = performance.now();
  // Detached: a session of its own, by which its processes are found.
  const shell = spawn("sh", ["-c", SCRIPT, "sh", outputFile, ...command], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = () => void (shell.pid !== undefined && process.kill(-shell.pid));
  signal.addEventListener("abort", stop, { once: true });
  const peak = { treeBytes: 0, providerBytes: 0 };
  const sampler = setInterval(() => {
    const memory = shell.pid === undefined ? undefined : sessionMemory(shell.pid);
    peak.treeBytes = Math.max(peak.treeBytes, memory?.treeBytes ?? 0);
    peak.providerBytes = Math.max(peak.providerBytes, memory?.providerBytes ?? 0);
  }, SAMPLE_MS);
  let times = "";
  shell.stdout.setEncoding("utf8").on("data", (chunk: string) => (times += chunk));
  const [code]: unknown[] = await once(shell, "close");
  clearInterval(sampler);
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  const wallMs = performance.now() - startedMs;
  if (code !== 0) throw new Error(`${command.join(" ")} failed (${String(code)}):\n${lastLines(outputFile)}`);
  return { cpuMs: childrenCpuMs(times), wallMs, ...peak };
}

/** `times` of POSIX: user and system time of the shell on the first line, of what it waited for on the second. */
function childrenCpuMs(times: string): number {
  const [, children = ""] = times.trim().split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/gu)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * MS_PER_MINUTE + Number(seconds) * MS_PER_SECOND,
    0,
  );
}

function lastLines(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-SHOWN_LINES).join("\n");
}
