// The folders, each of which imports only from those before it: domain (environments, builds, variables and their rules), http (the API, faults,
// journal), control (`/__sandbox/`), page.
import { Control } from "./control/control";
import { DEFAULT_BUILD_SECONDS, DEFAULT_TOKEN } from "./defaults";
import { checkChoices, type Choices, defaultChoices } from "./domain/choices";
import { type Clock, systemClock } from "./domain/clock";
import { refuseUnknown } from "./domain/fields";
import { addEnvironment, defaultEnvironments, type EnvironmentSeed } from "./domain/seed";
import { loadState, saveState, StateFileError } from "./domain/state-file";
import { lockState } from "./domain/state-lock";
import { Store } from "./domain/store";
import { World } from "./domain/world";
import { Faults } from "./http/faults";
import { Journal } from "./http/journal";
import { listen, type RunningServer } from "./http/server";
import { Service } from "./http/service";
import { page } from "./page/page";

export { type Choices, defaultChoices } from "./domain/choices";
export { type Clock, ManualClock, systemClock } from "./domain/clock";
export type { FaultHandle, FaultOptions, FaultRequest, Faults, GatewayWords } from "./http/faults";
export type { Journal, JournalEntry, JournalFilter } from "./http/journal";
export { mask, type MaskOptions } from "./domain/mask";
export type { Flags, NextBuild, Outcome, Project, SnapshotLoad } from "./domain/model";
export { defaultEnvironments, type EnvironmentSeed, type ProjectSeed, SEED } from "./domain/seed";
export { StateFileError } from "./domain/state-file";
export type { VariableSeed } from "./domain/variables";
export type { BuildView, EnvironmentView, VariableView } from "./domain/views";
export type { Environments, World } from "./domain/world";

/** Options of a sandbox. Everything is optional. */
export interface SandboxOptions {
  /** Default 0: a free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** The token that is valid. Default "sandbox-token". */
  readonly token?: string;
  /** Several valid tokens. The first one is `Sandbox.token` unless `token` is given too. */
  readonly tokens?: readonly string[];
  /** Mounts the service below a prefix such as "/gateway". */
  readonly pathPrefix?: string;
  /**
   * A JSON file that is loaded at start, if it exists, and written after each change. It holds all values as plain text. No
   * second sandbox can use it meanwhile, in this process or another: `<file>.lock` stands beside it until `close`.
   */
  readonly stateFile?: string;
  /**
   * Gets one line when the state file cannot be written any more (a full disk), and again after it could in between.
   * Changes then happen in memory only and are answered with 500. The file stays as it was. Default: nothing.
   */
  readonly warn?: (line: string) => void;
  /** How long a build takes. Default 3. */
  readonly buildSeconds?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Default: `defaultEnvironments`. Not used when a state file was loaded. */
  readonly environments?: readonly EnvironmentSeed[];
  /** The points that the specification leaves open. Default: `defaultChoices`. */
  readonly choices?: Partial<Choices>;
}

const OPTIONS: Readonly<Record<keyof SandboxOptions, true>> = {
  port: true,
  host: true,
  token: true,
  tokens: true,
  pathPrefix: true,
  stateFile: true,
  warn: true,
  buildSeconds: true,
  clock: true,
  environments: true,
  choices: true,
};

/** A service that runs. */
export interface Sandbox extends AsyncDisposable {
  /** The base address, with the prefix and without a trailing slash. */
  readonly url: string;
  /** A token that is valid. */
  readonly token: string;
  readonly world: World;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly journal: Journal;
  /** Ends every connection at once. The process can end then. */
  close(): Promise<void>;
}

/**
 * Starts the Environment Management API in memory. Rejects with a StateFileError for a state file that cannot be used or that
 * another sandbox uses, with the system's error when the port is taken, with a RangeError for an empty token, and with an Error for an
 * option that does not exist.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  refuseUnknown(options, OPTIONS, "startSandbox");
  checkChoices(options.choices ?? {});
  const { stateFile } = options;
  const unlock = stateFile === undefined ? () => undefined : lockState(stateFile);
  try {
    return await open(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function open(options: SandboxOptions, unlock: () => void): Promise<Sandbox> {
  const store = createStore(options);
  const tokens = validTokens(options);
  const faults = new Faults();
  const journal = new Journal();
  const world = new World(store);
  const { clock } = store;
  const { host = "127.0.0.1", port = 0 } = options;
  const server: RunningServer = await listen({
    host,
    port,
    pathPrefix: normalised(options.pathPrefix ?? ""),
    mounts: [new Control({ world, journal, faults, clock, host, mask: store.choices.mask }), page],
    context: { service: new Service(store, new Set(tokens)), faults, journal, clock, tokens: new Set(tokens) },
  });
  const close = async () => {
    await server.close();
    // The file may be another sandbox's now.
    store.onChange = () => undefined;
    unlock();
  };
  const [token = DEFAULT_TOKEN] = tokens;
  return { url: server.url, token, world, clock, faults, journal, close, [Symbol.asyncDispose]: close };
}

function createStore(options: SandboxOptions): Store {
  const { clock = systemClock, buildSeconds = DEFAULT_BUILD_SECONDS, stateFile } = options;
  const store = new Store({ clock, buildSeconds, choices: { ...defaultChoices, ...options.choices } });
  const isLoaded = stateFile !== undefined && loadState(store, stateFile);
  if (!isLoaded) for (const seed of options.environments ?? defaultEnvironments) addEnvironment(store, seed);
  if (stateFile !== undefined) {
    saveState(store, stateFile);
    store.onChange = saver(store, stateFile, options.warn ?? (() => undefined));
  }
  return store;
}

/** Says it once, not for each request, when the file cannot be written. */
function saver(store: Store, file: string, warn: (line: string) => void): () => void {
  let isTold = false;
  return () => {
    try {
      saveState(store, file);
      isTold = false;
    } catch (error) {
      if (error instanceof StateFileError && !isTold) {
        warn(`${error.message}. The file stays as it was; the sandbox goes on in memory and answers changes with 500.`);
      }
      isTold = true;
      throw error;
    }
  };
}

function validTokens({ token, tokens = [] }: SandboxOptions): readonly string[] {
  const given = token === undefined ? tokens : [token, ...tokens];
  if (given.includes("")) throw new RangeError("a token of the sandbox must not be empty");
  return given.length === 0 ? [DEFAULT_TOKEN] : given;
}

function normalised(prefix: string): string {
  const path = prefix.replaceAll(/^\/+|\/+$/g, "");
  return path === "" ? "" : `/${path}`;
}
