import { readdirSync, readFileSync } from "node:fs";

const BYTES_PER_KIB = 1024;
const PROVIDER = /dynamic-provider|pulumi-resource-|dist\/plugin\//u;

/** What a look at a process and everything it has started found. */
export interface TreeMemory {
  /** Sum of what each process holds in memory. Pages that several share count several times. */
  readonly treeBytes: number;
  /** Most that the largest provider process has held so far. 0 when there is none. */
  readonly providerBytes: number;
}

/**
 * The memory of a session: the process that leads it and all that it has started, whatever group they are in. Only Linux
 * shows this cheaply. Elsewhere `undefined`.
 */
export function sessionMemory(leader: number): TreeMemory | undefined {
  if (process.platform !== "linux") return undefined;
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
