import type { EnvVar, InheritedVar } from "../client/env-vars";
import { SharedRead } from "./shared-read";

/** Variables as the service gave them. */
export type VariablesByName = ReadonlyMap<string, EnvVar>;

/** Why an environment has no variables that can be read: it does not exist (any more), or it is marked as deleted. */
export type Absence = "gone" | "deleted";

/** An environment's variables, as several resources share them. */
export interface SharedList {
  readonly variables: Map<string, EnvVar>;
  readonly inherited: readonly InheritedVar[];
}

/** The read of an environment's variables. Writers merge what the service has answered, and drop the read after a failure. */
export class SharedVariables extends SharedRead<SharedList | Absence> {
  /** The service answered a write of this run. `undefined` for what was deleted. Everybody who asks from now on sees it. */
  merge(name: string, variable: EnvVar | undefined): void {
    this.update((list) => {
      if (typeof list === "string") return;
      if (variable === undefined) list.variables.delete(name);
      else list.variables.set(name, variable);
    });
  }
}
