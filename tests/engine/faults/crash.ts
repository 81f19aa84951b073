import { expect } from "chai";
import type { Run } from "../harness/cli";
import type { Project } from "../harness/project";
import { type Engine, until } from "../harness/suite";
import { alive, killAll, providersOf, startedBy } from "./processes";

/** Who is killed: the engine alone, or the provider's process alone. */
export type Victim = "engine" | "provider";

/** A place in a run: the request at this position (from 0), before the service acted on it, or after that and before the answer. */
export interface Boundary {
  readonly position: number;
  /** Only requests of this label count: "PUT /env-vars". */
  readonly label?: string;
  readonly moment: "before" | "after";
}

/** What a killed run left. */
export interface Wreck {
  /** How the CLI ended when only its provider was killed. */
  readonly run: Run | undefined;
}

const DYNAMIC = /cmd[\\/]dynamic-provider/u;

/** Everything that was killed half-way and may still be there when a test failed. */
const started = new Set<number>();

after("nothing that a test started stays", () => killAll([...started]));

/**
 * Runs a command of the CLI with a provider of its own process (the native plugin) and kills one of both, while the
 * request at a boundary is held. The service goes on only when nobody is left who could hear it.
 */
export async function crash(
  engine: Engine,
  project: Project,
  { environmentId, boundary, victim }: { environmentId: string; boundary: Boundary; victim: Victim },
  command: readonly string[],
): Promise<Wreck> {
  const { faults, journal } = engine.sandbox;
  const mark = journal.mark();
  let release: () => void = () => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fault = faults.add({
    hold,
    dropBefore: boundary.moment === "before",
    after: boundary.position,
    label: boundary.label,
    match: (request) => request.environmentId === environmentId,
  });
  const running = project.start(...command);
  let over = false;
  const ended = running.done.finally(() => (over = true));
  await until(`request ${boundary.position} of ${command[0]} arrives`, () => fault.hits > 0 || over);
  if (fault.hits === 0) throw new Error(`there is no request ${boundary.position}:\n${(await ended).text}`);
  const providers = providersOf(running.pid).map(({ pid }) => pid);
  for (const pid of [running.pid, ...startedBy(running.pid).map((one) => one.pid)]) started.add(pid);
  // A YAML program has two: one of them only knows the schema.
  expect(providers, "the provider's processes").not.to.deep.equal([]);
  const goesOn = victim === "engine" && startedBy(running.pid).some((one) => DYNAMIC.test(one.command));

  killAll(victim === "engine" ? [running.pid] : providers);
  const run = victim === "provider" ? await ended : undefined;
  // Pulumi's own process for dynamic providers does not notice, and goes on with its step.
  if (!goesOn) await until("the provider has ended", () => alive(providers).length === 0);
  release();
  fault.remove();
  if (boundary.moment === "after")
    await until("the service has acted", () => journal.since(mark).every(({ status }) => status !== 0));
  return { run };
}
