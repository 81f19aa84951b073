/** The ways to manage N variables that can be compared. */
export const contenders = ["floor", "ours", "native", "single", "nothing"] as const;
export type Contender = (typeof contenders)[number];

/** What a contender is compared with: the least that its program can cost. */
export const floorOf: Readonly<Partial<Record<Contender, Contender>>> = {
  ours: "floor",
  native: "floor",
  single: "nothing",
};

/** What is measured, in the order of a stack's life: a preview before anything exists, and one when nothing has changed. */
export const operations = [
  "first preview",
  "create",
  "preview",
  "refresh",
  "change 1",
  "change all",
  "destroy",
] as const;
export type Operation = (typeof operations)[number];

const UP = ["up", "--yes", "--skip-preview"];

/** The command line of an operation. */
export const commands: Readonly<Record<Operation, readonly string[]>> = {
  "first preview": ["preview"],
  create: UP,
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  "change 1": UP,
  "change all": UP,
  destroy: ["destroy", "--yes", "--skip-preview"],
};

const VALUE_LENGTH = 40;
const MIN_NAME = 12;
const NAME_LENGTHS = 9;

/**
 * Secrets as programs have them: values of 40 characters, names of 12 to 20. The first `changed` ones differ between
 * generations.
 */
export function makeSecrets(size: number, changed: number, generation: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: size }, (_, index) => {
      const name = `SERVICE_${String(index).padStart(4, "0")}_TOKEN_X`.slice(0, MIN_NAME + (index % NAME_LENGTHS));
      const value = `value-${index}-of-generation-${index < changed ? generation : 0}-`;
      return [name, value.padEnd(VALUE_LENGTH, "x")];
    }),
  );
}
