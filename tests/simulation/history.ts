import { withoutNil } from "../../provider/src/framework/properties";
import type { Choices } from "../../provider/src/sandbox";
import type { Foreign } from "./foreign";
import type { HostName } from "./hosts";
import type { Edit } from "./program/edits";
import type { Trouble } from "./trouble";

/** One thing that happens, in the order of the history. */
export type HistoryStep =
  | { readonly do: "edit"; readonly change: Edit }
  | { readonly do: "foreign"; readonly act: Foreign }
  | { readonly do: "wait"; readonly seconds: number }
  | {
      readonly do: "run";
      readonly run: "up" | "upRefresh" | "refresh" | "preview" | "destroy" | "destroyRefresh";
      /** `--target`: these resources, by position: for an up those of the program, for a destroy those of the stack. */
      readonly targets?: readonly number[];
      /** `--exclude`: all but these resources of the program, by position. Only for an up. */
      readonly excludes?: readonly number[];
      /** `--replace`: these resources of the program, by position. */
      readonly replace?: readonly number[];
      /** `--target-replace`, or `pulumi state taint`: the provider is not asked about what the resource was. Only for an up. */
      readonly targetReplace?: readonly number[];
      /** `--parallel 1`, or resources that depend on each other: each step is over before the next resource is checked. Only for an up. */
      readonly inTurn?: boolean;
      /** The program fails where it would register this resource, by position. Only for an up. */
      readonly failsAt?: number;
      /** Environments, counted from 0, that the list lacks as the program runs, although they exist. Only for an up. */
      readonly unlisted?: readonly number[];
      /** Stack config has changed since the last run. Only for an upRefresh. */
      readonly changesConfig?: true;
      /** Resource option customTimeouts of the whole program. Only for an up, and only of a host that is told. */
      readonly limitSeconds?: number | undefined;
      /** `--continue-on-error`, with a program that goes on. Only for an up. */
      readonly continues?: true;
      readonly troubles: readonly Trouble[];
    };

/** Everything that decides how a simulation goes: the same history is the same simulation. Plain JSON. */
export interface History {
  /** Of latencies, backoff and identifiers. */
  readonly seed: number;
  readonly host: HostName;
  readonly choices: Partial<Choices>;
  /** Settings of the provider. */
  readonly settings: {
    readonly batchSize: number;
    /** Not set: 60 s of an outage, for all requests together. */
    readonly maxRetries?: number | undefined;
    readonly maxConcurrency: number;
  };
  readonly steps: readonly HistoryStep[];
}

/** Options of a run of a history, by the names that the program has then. */
export function toOptions(
  names: readonly string[],
  positions: readonly number[] | undefined,
): readonly string[] | undefined {
  if (positions === undefined || names.length === 0) return undefined;
  return [...new Set(positions.map((position) => names[position % names.length] ?? ""))];
}

/** The settings of the provider as texts, by name. */
export function settingsOf({ settings }: History): Record<string, string> {
  return Object.fromEntries(Object.entries(withoutNil(settings)).map(([name, value]) => [name, String(value)]));
}
