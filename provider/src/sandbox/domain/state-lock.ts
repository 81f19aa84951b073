import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { targetOf } from "../../command/whole-file";
import { codeOf, StateFileError } from "./state-file";
import { MS_PER_SECOND } from "./timestamps";

const OWNER = /^(?<pid>[1-9]\d*) (?<host>.*)$/u;

/**
 * Takes a state file for this sandbox alone: a file beside it, `<file>.lock`, names the process that has it. A lock that a process
 * that has ended left behind is taken over. Returns what gives the file free. Throws a StateFileError when it is taken.
 */
export function lockState(file: string): () => void {
  const lock = `${targetOf(file)}.lock`;
  if (!create(file, lock)) {
    const owner = ownerOf(lock);
    if (owner.isGone) rmSync(lock, { force: true });
    if (!owner.isGone || !create(file, lock))
      throw new StateFileError(
        `State file ${file} is in use by ${owner.text}, and two sandboxes would overwrite each other's changes. End that one, or ` +
          `choose another file. If it is no sandbox, delete ${lock}.`,
      );
  }
  let isHeld = true;
  return () => {
    if (isHeld) rmSync(lock, { force: true });
    isHeld = false;
  };
}

/** Whether the lock was free. */
function create(file: string, lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid} ${hostname()}`, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw new StateFileError(`State file ${file} cannot be written: ${codeOf(error)}`, { cause: error });
  }
}

/** The owner of a lock. */
interface Owner {
  readonly text: string;
  /** Whether it is certain that the process has ended. */
  readonly isGone: boolean;
}

function ownerOf(lock: string): Owner {
  const { pid, host } = OWNER.exec(read(lock))?.groups ?? {};
  if (pid === undefined) return { text: "another process", isGone: false };
  if (host !== hostname()) return { text: `process ${pid} of ${host}`, isGone: false };
  return {
    text: `process ${pid}`,
    isGone: Number(pid) === process.pid ? isOlderThanThis(lock) : !isAlive(Number(pid)),
  };
}

/** The owner that a lock names. Nothing when it cannot be read. */
function read(lock: string): string {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return "";
  }
}

/** In a container that was started again, the process has the id of the one before. */
function isOlderThanThis(lock: string): boolean {
  const startedAtMs = Date.now() - process.uptime() * MS_PER_SECOND;
  return (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) < startedAtMs;
}

/** Signal 0 only asks. A process of another user may not be asked, so it is there. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
