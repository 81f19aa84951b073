/** How much of a hidden value stays visible. Lengths count characters (code points). */
export interface MaskOptions {
  /** Characters shown at the start; default 2. */
  readonly visibleHead?: number;
  /** Characters shown at the end; default 2. */
  readonly visibleTail?: number;
  /** A value that would have fewer masked characters than this is masked whole; default 4. */
  readonly minHidden?: number;
  /** Show nothing of any value; default false. */
  readonly fullyMasked?: boolean;
  /** This many asterisks whatever the length; default: one for each masked character. */
  readonly fixedStars?: number;
}

const VISIBLE_HEAD = 2;
const VISIBLE_TAIL = 2;
const MIN_HIDDEN = 4;

/** What the service answers for a hidden value. An empty value stays empty, a short one is masked whole. */
export function mask(value: string, options: MaskOptions = {}): string {
  const { visibleHead = VISIBLE_HEAD, visibleTail = VISIBLE_TAIL, minHidden = MIN_HIDDEN } = options;
  if (value === "") return "";
  const characters = Array.from(value);
  const hidden = characters.length - visibleHead - visibleTail;
  const stars = (count: number) => "*".repeat(options.fixedStars ?? count);
  if (options.fullyMasked === true || hidden < Math.max(minHidden, 1)) return stars(characters.length);
  const head = characters.slice(0, visibleHead).join("");
  const tail = characters.slice(characters.length - visibleTail).join("");
  return head + stars(hidden) + tail;
}
