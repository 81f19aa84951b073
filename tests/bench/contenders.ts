/** A way to manage variables that is compared with others. */
export interface Contender {
  /** Also that of its program in tests/bench/programs, unless it has another one. */
  readonly name: string;
  readonly program?: string;
  /** What it is compared with: the least that its program can cost. */
  readonly floor?: string;
  /** Whether a size is a number of environments with 20 variables each. Default: a number of variables of one environment. */
  readonly isFleet?: true;
  /** From here on it is not measured: with checkpoints the cost grows with the square of the number of environments. */
  readonly tooLarge?: number;
  /** Whether the engine writes state at the end only. Default: after each step. */
  readonly skipCheckpoints?: true;
}

const TOO_LARGE = 400;

/** All of them. `npm run bench -- --help` says what each is. */
export const contenders: readonly Contender[] = [
  { name: "floor" },
  { name: "ours", floor: "floor" },
  { name: "native", floor: "floor" },
  { name: "single", floor: "nothing" },
  { name: "nothing" },
  { name: "checkpoints", program: "sets", isFleet: true, tooLarge: TOO_LARGE },
  { name: "sets", isFleet: true, skipCheckpoints: true },
  { name: "component", isFleet: true, skipCheckpoints: true, tooLarge: TOO_LARGE },
];

const UP = ["up", "--yes", "--skip-preview"];

/** The command lines that are measured, in the order of a stack's life: a preview before anything exists, and one when nothing has changed. */
export const commands = {
  "first preview": ["preview"],
  create: UP,
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  "change 1": UP,
  "change all": UP,
  destroy: ["destroy", "--yes", "--skip-preview"],
} as const;
export type Operation = keyof typeof commands;

const VALUE_LENGTH = 40;
const MIN_NAME = 12;
const NAME_LENGTHS = 9;

/** The secrets that are declared in an operation: the changes stay until the stack is destroyed. */
export function secretsOf(operation: Operation, count: number): Readonly<Record<string, string>> {
  if (operation === "change 1") return makeSecrets(count, 1, 1);
  return operation === "change all" || operation === "destroy"
    ? makeSecrets(count, count, 2)
    : makeSecrets(count, 0, 0);
}

/**
 * Secrets as programs have them: values of 40 characters, names of 12 to 20. The first `changed` ones differ between
 * generations.
 */
function makeSecrets(count: number, changed: number, generation: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `SERVICE_${String(index).padStart(4, "0")}_TOKEN_X`.slice(0, MIN_NAME + (index % NAME_LENGTHS));
      const value = `value-${index}-of-generation-${index < changed ? generation : 0}-`;
      return [name, value.padEnd(VALUE_LENGTH, "x")];
    }),
  );
}
