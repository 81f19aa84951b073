import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** Checksum of the source, checksum of the rest, number of bytes of the calls. V8 copies code that is not aligned to 16 bytes. */
const HEADER_BYTES = 16;
const [OF_SOURCE, OF_REST, CALLS_BYTES] = [0, 4, 8];

/** Compiled code, and the calls for which it was compiled. */
interface Kept {
  readonly code: Buffer;
  readonly calls: ReadonlySet<string>;
}

/** A bundle that was loaded. */
export interface Loaded {
  readonly loaded: ReturnType<NodeJS.Require>;
  /**
   * Keeps what V8 has compiled of it until now, unless what these calls need is kept already. Does nothing where nobody can
   * write.
   * @param calls those that this process has answered, such as "create"
   */
  readonly keep: (calls: Iterable<string>) => void;
}

/**
 * Loads a bundle that is one function with a module's parameters, and with the code that V8 compiled of it in earlier processes,
 * which is in `folder`; without a folder, nothing is kept. Node's own compile cache has only what V8 compiles before a file runs:
 * of a bundle, in which everything is in functions, nearly nothing. `NODE_DISABLE_COMPILE_CACHE`, with any value, turns both off.
 */
export function loadScript(file: string, folder: string | undefined): Loaded {
  // A bundle has ASCII characters only.
  const source = readFileSync(file, "latin1");
  const checksum = crc32(source);
  const isOff = folder === undefined || process.env["NODE_DISABLE_COMPILE_CACHE"] !== undefined;
  const keptFile = isOff ? undefined : join(folder, `${basename(file)}-${process.version}-${process.arch}`);
  const kept = keptFile === undefined ? undefined : readKept(keptFile, checksum);
  const script = new Script(source, { filename: file, ...(kept && { cachedData: kept.code }) });
  const known = new Set(script.cachedDataRejected === true ? [] : kept?.calls);
  const run: (...parameters: readonly unknown[]) => void = script.runInThisContext();
  const module = { exports: {} };
  run(module.exports, createRequire(file), module, file, dirname(file));
  const keep = (calls: Iterable<string>): void => {
    const added = [...calls].filter((call) => !known.has(call));
    if (keptFile === undefined || added.length === 0) return;
    for (const call of added) known.add(call);
    writeKept(keptFile, checksum, { code: script.createCachedData(), calls: known });
  };
  return { loaded: module.exports, keep };
}

/** V8 compares neither the source nor the code: of the source it knows the length, of the code its own version. */
function readKept(file: string, checksum: number): Kept | undefined {
  try {
    const content = readFileSync(file);
    const rest = content.subarray(HEADER_BYTES);
    if (content.readUInt32LE(OF_SOURCE) !== checksum || content.readUInt32LE(OF_REST) !== crc32(rest)) return undefined;
    const bytes = content.readUInt32LE(CALLS_BYTES);
    const calls = rest.toString("latin1", 0, bytes).trimEnd().split(" ");
    return { code: rest.subarray(bytes), calls: new Set(calls) };
  } catch {
    return undefined;
  }
}

function writeKept(file: string, checksum: number, { code, calls }: Kept): void {
  const names = [...calls].join(" ");
  const list = Buffer.from(names.padEnd(Math.ceil(names.length / HEADER_BYTES) * HEADER_BYTES), "latin1");
  const rest = Buffer.concat([list, code]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(checksum, OF_SOURCE);
  header.writeUInt32LE(crc32(rest), OF_REST);
  header.writeUInt32LE(list.length, CALLS_BYTES);
  const part = `${file}.${process.pid}.part`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(part, Buffer.concat([header, rest]), { mode: 0o600 });
    renameSync(part, file);
  } catch {
    // Another start compiles by itself.
    discard(part);
  }
}

/** Otherwise each process on a full disk would leave a piece. */
function discard(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was not written.
  }
}
