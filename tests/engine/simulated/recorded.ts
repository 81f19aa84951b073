import type { Foreign } from "../../simulation/foreign";
import type { Edit } from "../../simulation/program/edits";
import type { Owner } from "../../simulation/program/model";

/** What one request of a run meets, counted from 0 within the run. */
export type RecordedTrouble =
  | { readonly at: number; readonly kind: "status"; readonly status: number; readonly acts?: boolean }
  /** The upsert at this place fails for these names. */
  | { readonly at: number; readonly kind: "refuse"; readonly names: readonly string[] }
  /** The engine and everything it has started are killed while the service acts on it. */
  | { readonly at: number; readonly kind: "kill" };

/** A step of a history that both engines can play. */
export type RecordedStep =
  | { readonly edit: Edit }
  | { readonly others: Foreign }
  | {
      readonly run: "up" | "refresh" | "preview" | "destroy";
      readonly targets?: readonly string[];
      readonly replace?: readonly string[];
      readonly refresh?: true;
      readonly trouble?: RecordedTrouble;
    };

/** A history, and what it is about. */
export interface Recorded {
  readonly title: string;
  readonly steps: readonly RecordedStep[];
}

const declare = (owner: Owner, name: string, value: string, hidden = false): RecordedStep => ({
  edit: { edit: "declare", in: owner, name, value, hidden },
});
const up: RecordedStep = { run: "up" };

/** Histories in which engines could differ most: what they keep after failures. */
export const failures: readonly Recorded[] = [
  {
    title: "init errors, old inputs, ignored changes and a replacement that is not finished",
    steps: [
      declare("s", "A", "plain 1"),
      declare("s", "B", "plain 2"),
      { run: "up", trouble: { at: 1, kind: "refuse", names: ["B"] } },
      up,
      declare("s", "A", "plain 4"),
      { run: "up", trouble: { at: 0, kind: "refuse", names: ["A"] } },
      { run: "refresh" },
      { edit: { edit: "ignore", of: "s", paths: ["variables.A"] } },
      declare("s", "B", "plain 5"),
      up,
      { edit: { edit: "move", of: "s", to: 1 } },
      { run: "up", trouble: { at: 2, kind: "status", status: 400 } },
      { others: { act: "delete", on: 0, name: "A" } },
      { run: "refresh" },
      up,
    ],
  },
  {
    title: "a killed engine",
    steps: [
      declare("s", "A", "plain 1"),
      { run: "up", trouble: { at: 1, kind: "kill" } },
      up,
      declare("s", "A", "plain 2"),
      { run: "up", trouble: { at: 0, kind: "kill" } },
      { run: "up", refresh: true },
    ],
  },
];

/** Histories in which they could differ in the order in which they go about things. */
export const orders: readonly Recorded[] = [
  {
    title: "dependencies, drift, a renamed resource, targets and destroy",
    steps: [
      declare("s", "A", "plain 1"),
      declare("s", "C", "sk-1-correct-horse-1-9x", true),
      { edit: { edit: "branch", repo: "web", branch: "feature/one" } },
      up,
      { others: { act: "set", on: 0, name: "A", value: "hand", hidden: false, services: [] } },
      { run: "refresh" },
      declare("s", "B", "plain 2"),
      declare("t", "D", "plain 3"),
      { run: "up", targets: ["t"] },
      { edit: { edit: "rename", of: "s" } },
      up,
      { run: "destroy" },
    ],
  },
  {
    title: "single variables that move, and what is done once",
    steps: [
      declare("single", "A", "plain 1"),
      declare("single", "B", "sk-2-correct-horse-2-9x", true),
      { edit: { edit: "ask", deed: "rebuild" } },
      { edit: { edit: "ask", deed: "load" } },
      up,
      { edit: { edit: "ask", deed: "load" } },
      { run: "up", trouble: { at: 2, kind: "status", status: 400 } },
      { edit: { edit: "give", name: "A", to: "s" } },
      { run: "up", refresh: true },
      { edit: { edit: "forget", deed: "rebuild" } },
      up,
      { run: "destroy" },
    ],
  },
];
