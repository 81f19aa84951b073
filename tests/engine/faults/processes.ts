import { execFileSync } from "node:child_process";

/** A process that runs. */
export interface Running {
  readonly pid: number;
  readonly parent: number;
  /** The program with its arguments. */
  readonly command: string;
}

const LINE = /^\s*(?<pid>\d+)\s+(?<parent>\d+)\s+(?<state>\S+)\s+(?<command>.*)$/u;

/** A provider's process: the native plugin, or Pulumi's own for dynamic resources. */
const PROVIDER = /node\S* .*(?:[\\/]start\.cjs|cmd[\\/]dynamic-provider)/u;

/** Everything that a process has started, directly or not; what has ended and waits for its parent does not count. */
export function startedBy(pid: number): readonly Running[] {
  const all = processes();
  const tree = new Set([pid]);
  // A set that grows while it is walked is walked to its end.
  for (const parent of tree) for (const one of all) if (one.parent === parent) tree.add(one.pid);
  return all.filter((one) => one.pid !== pid && tree.has(one.pid));
}

/** The provider's processes among those that an engine has started. */
export function providersOf(enginePid: number): readonly Running[] {
  return startedBy(enginePid).filter(({ command }) => PROVIDER.test(command));
}

/** Which of these processes still run. */
export function alive(pids: readonly number[]): readonly number[] {
  const running = new Set(processes().map(({ pid }) => pid));
  return pids.filter((pid) => running.has(pid));
}

/** Ends processes at once; one that has ended by itself is no error. */
export function killAll(pids: readonly number[]): void {
  for (const pid of alive(pids)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

function processes(): readonly Running[] {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" });
  return text.split("\n").flatMap((line) => {
    const { pid, parent, state = "", command = "" } = LINE.exec(line)?.groups ?? {};
    return pid === undefined || state.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}
