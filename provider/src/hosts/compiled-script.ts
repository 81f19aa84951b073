import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** Checksum of the source, checksum of the code, number of processes; 16, because V8 copies code that is not aligned. */
const HEADER_BYTES = 16;
const [OF_SOURCE, OF_CODE, PROCESSES] = [0, 4, 8];
/** After that many processes, V8 has compiled what previews, updates and refreshes need. */
const ADDING_PROCESSES = 4;

/** Compiled code, and how many processes have added to it. */
interface Kept {
  readonly code: Buffer;
  readonly processes: number;
}

/** A bundle that was loaded. */
export interface Loaded {
  readonly loaded: ReturnType<NodeJS.Require>;
  /** Keeps what V8 has compiled of it until now. Only the first processes do that, and none where nobody can write. */
  readonly keep: () => void;
}

/**
 * Loads a bundle that is one function with a module's parameters, and with the code that V8 compiled of it in earlier processes,
 * which is in `folder`; without a folder, nothing is kept. Node's own compile cache has only what V8 compiles before a file runs:
 * of a bundle, in which everything is in functions, nearly nothing. `NODE_DISABLE_COMPILE_CACHE` turns this off, too.
 */
export function loadScript(file: string, folder: string | undefined): Loaded {
  // A bundle has ASCII characters only.
  const source = readFileSync(file, "latin1");
  const checksum = crc32(source);
  const isOff = folder === undefined || process.env["NODE_DISABLE_COMPILE_CACHE"] === "1";
  const keptFile = isOff ? undefined : join(folder, `${basename(file)}-${process.version}-${process.arch}`);
  const kept = keptFile === undefined ? undefined : readKept(keptFile, checksum);
  const script = new Script(source, { filename: file, ...(kept && { cachedData: kept.code }) });
  const processes = kept === undefined || script.cachedDataRejected === true ? 0 : kept.processes;
  const run: (...parameters: readonly unknown[]) => void = script.runInThisContext();
  const module = { exports: {} };
  run(module.exports, createRequire(file), module, file, dirname(file));
  const keep = (): void => {
    if (keptFile === undefined || processes >= ADDING_PROCESSES) return;
    writeKept(keptFile, checksum, { code: script.createCachedData(), processes: processes + 1 });
  };
  return { loaded: module.exports, keep };
}

/** V8 compares neither the source nor the code: of the source it knows the length, of the code its own version. */
function readKept(file: string, checksum: number): Kept | undefined {
  try {
    const content = readFileSync(file);
    const code = content.subarray(HEADER_BYTES);
    const isIntact = content.readUInt32LE(OF_SOURCE) === checksum && content.readUInt32LE(OF_CODE) === crc32(code);
    return isIntact ? { code, processes: content.readUInt32LE(PROCESSES) } : undefined;
  } catch {
    return undefined;
  }
}

function writeKept(file: string, checksum: number, { code, processes }: Kept): void {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(checksum, OF_SOURCE);
  header.writeUInt32LE(crc32(code), OF_CODE);
  header.writeUInt32LE(processes, PROCESSES);
  const part = `${file}.${process.pid}.part`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(part, Buffer.concat([header, code]), { mode: 0o600 });
    renameSync(part, file);
  } catch {
    // Another start compiles by itself.
  }
}
