import { toUSVString } from "node:util";

/** How much of a hidden value stays visible. Lengths count characters (code points), or what `unit` says. */
export interface MaskOptions {
  /** The unit that is counted and cut: of a character that is cut, U+FFFD stays, as a JSON encoder leaves it. Default "character". */
  readonly unit?: "character" | "codeUnit" | "byte";
  /** Characters shown at the start. Default 2. */
  readonly visibleHead?: number;
  /** Characters shown at the end. Default 2. */
  readonly visibleTail?: number;
  /** A value that would have fewer masked characters than this is masked whole. Default 4. */
  readonly minHidden?: number;
  /** Show nothing of any value. Default false. */
  readonly fullyMasked?: boolean;
  /** This many asterisks whatever the length. Default: one for each masked character. */
  readonly fixedStars?: number;
}

const VISIBLE_HEAD = 2;
const VISIBLE_TAIL = 2;
const MIN_HIDDEN = 4;

/** The service's answer for a hidden value. An empty value stays empty, a short one is masked whole. */
export function mask(value: string, options: MaskOptions = {}): string {
  const { visibleHead = VISIBLE_HEAD, visibleTail = VISIBLE_TAIL, minHidden = MIN_HIDDEN } = options;
  if (value === "") return "";
  const { length, slice } = piecesOf(value, options.unit);
  const hidden = length - visibleHead - visibleTail;
  const stars = (count: number) => "*".repeat(options.fixedStars ?? count);
  if (options.fullyMasked === true || hidden < Math.max(minHidden, 1)) return stars(length);
  return slice(0, visibleHead) + stars(hidden) + slice(length - visibleTail, length);
}

interface Pieces {
  readonly length: number;
  readonly slice: (from: number, to: number) => string;
}

function piecesOf(value: string, unit: MaskOptions["unit"]): Pieces {
  if (unit === "byte") {
    const bytes = Buffer.from(value, "utf8");
    return { length: bytes.length, slice: (from, to) => bytes.subarray(from, to).toString("utf8") };
  }
  if (unit === "codeUnit") {
    return { length: value.length, slice: (from, to) => toUSVString(value.slice(from, to)) };
  }
  const characters = Array.from(value);
  return { length: characters.length, slice: (from, to) => characters.slice(from, to).join("") };
}
