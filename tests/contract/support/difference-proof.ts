import type { DifferenceId } from "../../support/differences";
import type { Side } from "../../support/host";
import type { Scenario, Stage } from "../../support/stage";

/** A scenario that shows what the hosts of one side do. */
export type Proof = Pick<Scenario, "title" | "run"> & Partial<Scenario>;

/** Rows of tests/support/differences.ts, each with proofs of both sides. */
export type Proofs<Row extends DifferenceId> = Readonly<Record<Row, Readonly<Record<Side, readonly Proof[]>>>>;

/** A program of one EnvVar called `one`. */
export const variable = ({ environmentId }: Stage, value: string) => ({
  one: { type: "EnvVar", inputs: { environmentId, name: "A", value, hidden: false } },
});
