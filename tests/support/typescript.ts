import { join } from "node:path";

/** Arguments of Node with which it runs the TypeScript of this checkout. */
export const TYPESCRIPT: readonly string[] = ["-r", join(__dirname, "..", "..", "tools", "typescript.cjs")];
