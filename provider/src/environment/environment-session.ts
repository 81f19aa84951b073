import { createHash } from "node:crypto";
import type { Clock } from "../client/clock";
import type { EnvVar } from "../client/env-vars";
import type { EnvironmentSession, NameKind } from "../framework/environment-session";
import { isMap, type Properties } from "../framework/properties";
import { RunBuildRequests } from "./build-requests";
import { Lock } from "./lock";
import { RunOwnedNames } from "./owned-names";
import { SharedRead } from "./shared-read";

/** @see EnvironmentSession */
export class RunEnvironmentSession implements EnvironmentSession {
  readonly key: string;
  readonly variables = new RunOwnedNames();
  readonly branches = new RunOwnedNames();
  readonly builds = new RunBuildRequests();
  readonly reading: SharedRead<EnvVar>;
  wantedState: "running" | "stopped" | undefined;
  readonly #locks = { variables: new Lock(), branches: new Lock() };
  readonly #declared = new Set<string>();
  readonly #parts = new Map<unknown, unknown>();

  constructor(key: string, clock: Clock) {
    this.key = key;
    this.reading = new SharedRead(clock);
  }

  withLock<T>(kind: NameKind, action: () => Promise<T>): Promise<T> {
    return this.#locks[kind].run(action);
  }

  declare(inputs: Properties): void {
    this.#declared.add(fingerprint(inputs));
  }

  isDeclared(inputs: Properties): boolean {
    return this.#declared.has(fingerprint(inputs));
  }

  part<T>(kind: new (environment: EnvironmentSession) => T): T {
    const known = this.#parts.get(kind);
    if (known instanceof kind) return known;
    const made = new kind(this);
    this.#parts.set(kind, made);
    return made;
  }
}

/** The same for the same inputs, in whatever order the engine hands their keys over. */
function fingerprint(inputs: Properties): string {
  const text = JSON.stringify(inputs, (_key, value: unknown) =>
    isMap(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return createHash("sha256").update(text).digest("base64");
}
