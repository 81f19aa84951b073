import { createHash } from "node:crypto";
import { UsageError } from "../command/mistake";

const SHARD = /^(?<index>[1-9]\d{0,4})\/(?<count>[1-9]\d{0,4})$/u;
/** As many as a number of JavaScript holds exactly. */
const HASH_BYTES = 6;

/** One of several parts of all stacks: `index` is from 1 to `count`. */
export type Shard = ReturnType<typeof readShard>;

/** Reads `2/5`. @throws UsageError for another text, and for a part that does not exist */
export function readShard(text: string): { readonly index: number; readonly count: number } {
  const { index, count } = SHARD.exec(text)?.groups ?? {};
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index <= shard.count) return shard;
  throw new UsageError(`--shard must be i/n, part i of n, such as 2/5, but is ${JSON.stringify(text)}`);
}

/**
 * Whether a stack belongs to a part. That depends on its name alone, so that a new stack moves no other one, and never
 * changes from version to version. The name of an organization before it does not count: the CLI leaves out that of one's own.
 */
export function isInShard(stack: string, { index, count }: Shard): boolean {
  return (createHash("sha256").update(ownName(stack)).digest().readUIntBE(0, HASH_BYTES) % count) + 1 === index;
}

/** The name of a stack without organization and project: `dev` of `acme/shop/dev`. */
export function ownName(stack: string): string {
  return stack.split("/").at(-1) ?? stack;
}
