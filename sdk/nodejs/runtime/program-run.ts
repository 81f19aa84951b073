import * as pulumi from "@pulumi/pulumi";

const NO_ENGINE = {};

/**
 * An object that identifies the current run of the program. A process may have several, one after the other or at once: inline
 * programs of the Automation API, unit tests. Each has its own connection to the engine.
 */
function currentRun(): object {
  return pulumi.runtime.getMonitor() ?? NO_ENGINE;
}

/** Whether the engine is a mock of a unit test, so that no provider process will ever start. */
export function isMocked(): boolean {
  const monitor = pulumi.runtime.getMonitor();
  return monitor !== undefined && !("getChannel" in monitor);
}

/** A value that each run has one of. */
export function perRun<T>(make: () => T): () => T {
  const made = new WeakMap<object, T>();
  return () => {
    const run = currentRun();
    const value = made.get(run) ?? make();
    made.set(run, value);
    return value;
  };
}
