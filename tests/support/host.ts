import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../provider/src/client/clock";
import type { RunOptions } from "../../provider/src/environment/start-run";
import { isMap, isUnknown, type Properties } from "../../provider/src/framework/properties";
import type { LogBook } from "./log-book";

export type Side = "dynamic" | "native";

/** What a provider says about old state and new inputs. Without `paths` the engine compares inputs itself. */
export interface Verdict {
  readonly changes: "none" | "some" | "unknown";
  readonly replaces: readonly string[];
  readonly paths?: readonly string[];
}

/** How a provider process serves a command: the engine starts other ones for a preview than for the `up` after it. */
export interface Phase {
  readonly preview: boolean;
  /** Whether a program runs. Default true. A plain destroy or refresh has none. */
  readonly hasProgram?: boolean;
  /** Whether a resource of the program names it. The engine starts others for what is in state only. Default as `hasProgram`. */
  readonly servesProgram?: boolean;
  /** Another provider process of the same run. */
  readonly isSecond?: boolean;
  /** The Provider that it is the process of. `undefined` is the default one. */
  readonly provider?: string;
}

export interface StartOptions extends Phase {
  /** Settings by name, beside the address and the token. */
  readonly settings: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  readonly token: string;
  /** What the engine keeps for all provider processes of a command, where a test has several of them. */
  readonly kept?: { rootResource: string };
  /** Which run of its scenario this is. Processes are kept for the same run of other scenarios: what a process
   * remembers is kept by environment, and every scenario has its own. */
  readonly run: number;
  /** A process that no other scenario has used or will use. */
  readonly fresh: boolean;
  /** Time of an in-process provider. */
  readonly clock: Clock;
  readonly log: LogBook;
  /** Connections and identifiers of an in-process provider, where a test owns these too. */
  readonly session?: Pick<RunOptions, "connections" | "randomId">;
  /** Ends the calls of the run, in a host that is told of a cancellation. */
  readonly signal?: AbortSignal;
}

/** What a provider made of inputs, and why it refuses them. */
export interface Answer {
  readonly inputs: Properties;
  readonly failures: readonly string[];
}

export interface Found {
  readonly outputs: Properties;
  readonly inputs: Properties;
  /** Init errors that the engine keeps beside it. */
  readonly reasons?: readonly string[];
}

/** The same with the id in state, which is not always the one that was given. */
export interface Identified extends Found {
  readonly id: string;
}

/** What the engine tells of a step beside properties. A dynamic provider gets nothing of it. */
export interface Step {
  readonly name: string;
  /** The Provider that serves it. Without it the default one does. */
  readonly provider?: string | undefined;
  readonly oldInputs?: Properties;
  readonly ignoreChanges?: readonly string[];
  /** Paths of inputs that the program has made Pulumi secrets. */
  readonly secretPaths?: readonly string[];
  /** Resource option customTimeouts. 0 when there is none. */
  readonly timeoutSeconds?: number;
}

/** A provider as the engine sees it during one run. Every method throws ProviderFailure. */
export interface Provider {
  check(type: string, olds: Properties, news: Properties, step: Step): Promise<Answer>;
  diff(type: string, id: string, olds: Properties, news: Properties, step: Step): Promise<Verdict>;
  create(type: string, news: Properties, step: Step): Promise<{ id: string; outputs: Properties }>;
  /** `inputs` are those of state. A dynamic provider does not get them. */
  read(type: string, id: string, olds: Properties, inputs: Properties, step: Step): Promise<Found | undefined>;
  update(type: string, id: string, olds: Properties, news: Properties, step: Step): Promise<Properties>;
  delete(type: string, id: string, olds: Properties, step: Step): Promise<void>;
  /** A Read without properties and inputs. Only of hosts that can import. */
  import?(type: string, id: string, step: Step): Promise<Identified | undefined>;
  /** A resource that the program only looks at: a Read whose properties are what the program passes, often nothing. */
  lookUp(type: string, id: string, given: Properties, step: Step): Promise<Identified | undefined>;
  /** Outputs in a preview of an update, or, without `olds`, of a create. Only of hosts that are asked in a preview. */
  foresee?(type: string, news: Properties, olds: Properties | undefined, step: Step): Promise<Properties>;
  cancel(): Promise<void>;
  /** A function. Only of hosts that have a process for them. */
  invoke?(token: string, args: Properties): Promise<Properties>;
  stop(): Promise<void>;
}

/** A row of the table in docs/hosts.md, by its first cell. */
export type Difference =
  | "Import"
  | "Ctrl-C"
  | "`customTimeouts`"
  | "Outputs in a preview"
  | "What a diff names"
  | "What a preview checks"
  | "A refresh after an update that failed"
  | "Messages and progress"
  | "A Pulumi secret as a visible value"
  | "A visible value that reads like a secret"
  | "A token that is set without `--secret`"
  | "Missing or wrong settings"
  | "Functions"
  | "Error code of a failure"
  | "State that the other one wrote";

export interface Host {
  readonly name: string;
  /** Whether time is the test's, so that scenarios may wait for minutes. */
  readonly ownsTime: boolean;
  /** On which side of a difference it stands. `undefined` when it is on neither. */
  side(row: Difference): Side | undefined;
  start(options: StartOptions): Promise<Provider>;
  close(): Promise<void>;
}

/** What a call of a provider failed with, as the engine gets it. */
export class ProviderFailure extends Error {
  /** Set when the resource exists all the same: what the engine stores. */
  readonly partial:
    | { readonly id: string; readonly outputs: Properties; readonly reasons: readonly string[] }
    | undefined;

  /** As gRPC has it. `undefined` without gRPC. */
  readonly code: number | undefined;

  constructor(message: string, partial?: ProviderFailure["partial"], code?: number) {
    super(message);
    this.partial = partial;
    this.code = code;
  }
}

/** A preview called something certain, and something else came. */
export class UnforeseenError extends Error {}

/** What a preview showed as certain has to be what came. @throws UnforeseenError that names the place, without values. */
export function holdToForesight(foreseen: unknown, came: unknown, path: string = "outputs"): void {
  if (isUnknown(foreseen) || isDeepStrictEqual(foreseen, came)) return;
  if (!isMap(foreseen) || !isMap(came)) throw new UnforeseenError(`${path}: a preview showed something else`);
  for (const name of new Set([...Object.keys(foreseen), ...Object.keys(came)]))
    holdToForesight(own(foreseen, name), own(came, name), `${path}.${name}`);
}

function own(map: Properties, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
