import * as pulumi from "@pulumi/pulumi";

/** Whether the engine is a mock of a unit test, so that no provider process will ever start. */
export function isMocked(): boolean {
  const monitor = pulumi.runtime.getMonitor();
  return monitor !== undefined && !("getChannel" in monitor);
}

/**
 * The kind of this process. The Pulumi CLI starts programs and component packages by files of its SDK. An inline program of the
 * Automation API is part of a process that somebody else has started.
 */
export function processKind(): "program" | "component package" | "inline program" {
  const { started } =
    /[\\/]pulumi[\\/]cmd[\\/](?<started>run|run-plugin)(?:[\\/]|$)/u.exec(process.argv[1] ?? "")?.groups ?? {};
  if (started === undefined) return "inline program";
  return started === "run" ? "program" : "component package";
}

const NO_ENGINE = {};

/**
 * A value that each run of a program has one of. A process may have several runs, one after the other or at once: inline programs
 * of the Automation API, unit tests. Each has its own connection to the engine. Another copy of this package in the program has values of
 * its own: at worst, a warning is given twice, and what the resources of both copies declare is compared only by the provider.
 */
export function perRun<T>(make: () => T): () => T {
  const made = new WeakMap<object, { readonly value: T }>();
  return () => {
    const run: object = pulumi.runtime.getMonitor() ?? NO_ENGINE;
    const { value } = made.get(run) ?? { value: make() };
    made.set(run, { value });
    return value;
  };
}

/** Warns without a resource: otherwise all messages of the program would wait for its registration, and fail with it. */
export function warn(text: string): void {
  pulumi.log.warn(text).catch(() => undefined);
}
