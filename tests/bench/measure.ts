import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MS_PER_SECOND } from "../../provider/src/client/clock";
import type { Project } from "../engine/harness/project";

const SAMPLE_MS = 50;
const MS_PER_MINUTE = 60_000;
const SHOWN_LINES = 30;
/** Runs a command with its output in a file, and prints the CPU times of everything that was waited for. */
const SCRIPT = 'file=$1; shift; "$@" >"$file" 2>&1; code=$?; times; exit $code';

/** What one command cost, with every process that it has started. */
export interface Cost {
  readonly cpuMs: number;
  /** Largest sum of the memory of all processes, looked at every 50 ms: shared pages count several times. 0 where it is not measured. */
  readonly treeBytes: number;
  /** Largest memory of the provider process. 0 where it is not measured. */
  readonly providerBytes: number;
}

/**
 * Runs a command in the folder of a project to its end. What it prints is in a file. The signal ends it, which may take a moment.
 * @throws Error with the end of its output when it fails, and the signal's reason when that has ended it
 */
export async function measure(command: readonly string[], project: Project, signal: AbortSignal): Promise<Cost> {
  const { folder: cwd, env } = project;
  const outputFile = join(cwd, "output.txt");
  signal.throwIfAborted();
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
    const { treeBytes, providerBytes } = sessionMemory(shell.pid);
    peak.treeBytes = Math.max(peak.treeBytes, treeBytes);
    peak.providerBytes = Math.max(peak.providerBytes, providerBytes);
  }, SAMPLE_MS);
  let times = "";
  shell.stdout.setEncoding("utf8").on("data", (chunk: string) => (times += chunk));
  const [code]: unknown[] = await once(shell, "close");
  clearInterval(sampler);
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${command.join(" ")} failed (${String(code)}):\n${lastLines(outputFile)}`);
  return { cpuMs: childrenCpuMs(times), ...peak };
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

const BYTES_PER_KIB = 1024;
const PROVIDER = /dynamic-provider|pulumi-resource-|dist\/plugin\//u;

/**
 * The memory of a session: the process that leads it and all that it has started, whatever group they are in. Only Linux
 * shows this cheaply.
 */
function sessionMemory(leader: number | undefined): Pick<Cost, "treeBytes" | "providerBytes"> {
  if (process.platform !== "linux") return { treeBytes: 0, providerBytes: 0 };
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && sessionOf(name) === leader)
    .map((name) => ({ status: read(`/proc/${name}/status`), command: read(`/proc/${name}/cmdline`) }));
  const providers = processes.filter(({ command }) => PROVIDER.test(command));
  return {
    treeBytes: processes.reduce((sum, { status }) => sum + bytes(status, "VmRSS"), 0),
    providerBytes: Math.max(0, ...providers.map(({ status }) => bytes(status, "VmHWM"))),
  };
}

/** The sixth field of `stat`. The second one, the name in brackets, may hold anything. */
function sessionOf(name: string): number {
  const stat = read(`/proc/${name}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
}

function bytes(status: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, "mu").exec(status);
  return Number(found?.[1] ?? 0) * BYTES_PER_KIB;
}

/** Empty when the process has ended in the meantime. */
function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
