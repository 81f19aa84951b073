/** The promises of the provider that a history is held against. */
export const invariants = {
  truth: "each value in state was true of the service at some moment",
  wrote: "what a create or update reports was held by the service when it answered",
  stranger: "no variable that no program declares is changed or deleted",
  invented: "no placeholder, no mask and no other value than a declared one is sent",
  conflict: "what exists with something else is not overwritten, unless the program says so",
  held: "no name is deleted that another resource of the run has written or holds, and none is missing after an up that succeeded",
  unseen: "what somebody else has written since this stack last looked is not deleted",
  listed: "what is declared for each environment of a list goes only with its environment, or in a destroy",
  unrouted: "where every route answers 404, nothing is taken for gone",
  found: "a build that succeeded is found, whatever its time",
  deployed: "branches that somebody has put back are not reported as deployed",
  built: "what is declared anew is deployed by a build that succeeded, or one is due",
  begins: "an environment that the program itself starts is waited for",
  lost: "a name leaves state only when the service does not hold it, or another resource does",
  refreshed: "a refresh never removes what still exists, and says what is there",
  builds: "one build at most for an EnvironmentBranches and an up",
  asleep: "no build is requested, and nothing started, in an environment that sleeps, unless the program says so",
  woken: "an environment that the program wakes runs once its build is reported as done",
  owed: "a build that is owed is done once the environment runs, and not forgotten before",
  waited: "a build that is reported as waited for has succeeded, with the declared branches",
  patient: "no failure that may pass ends a wait for a build",
  remembers: "what was written stands in state, when the service could be asked about it",
  leak: "no secret in a log line, an error, a path or plain state",
  cancelled: "no request after a cancellation",
  paused: "no request while the service wants a pause",
  outlasts: "an outage that passes soon fails nothing that can be repeated",
  isolated: "trouble in one environment keeps nothing from others, in an up that goes on after errors",
  advised: "what this stack has, and an up has refreshed or shown before, is no conflict",
  leaves: "what is declared for each environment leaves without an error when its environment is gone",
  foreseen: "what a preview calls certain is what comes",
  quiet: "right after an up that succeeded, a preview shows nothing and sends nothing",
  ordered: "an up that succeeded leaves in state what the program declares",
  converges: "once trouble is over, two ups reach the declared state",
  settles: "and the next one changes nothing",
  destroys: "a destroy removes what the program declared, and nothing else",
  leftover: "and leaves nothing behind that the provider has made, as far as it could know of it",
  hangs: "every run ends",
  expected: "no error is one that nobody has expected, and asks for a report",
  reads: "a preview and a refresh only read",
  batches: "no request carries more variables than it may",
} as const;

export type Invariant = keyof typeof invariants;

export function isInvariant(name: string): name is Invariant {
  return Object.hasOwn(invariants, name);
}

/** A promise that a history broke. */
export class Violation extends Error {
  readonly invariant: Invariant;

  constructor(invariant: Invariant, details: string) {
    super(`${invariant}: ${invariants[invariant]}; but ${details}`);
    this.invariant = invariant;
  }
}

let heard: Invariant | undefined;

/** Makes this process deaf to all promises but one, so that a deliberate bug shows that this one catches it by itself. */
export function hearOnly(invariant: Invariant): void {
  heard = invariant;
}

/** @throws Violation when something does not hold. */
export function hold(condition: boolean, invariant: Invariant, details: () => string): asserts condition {
  if (!condition && (heard === undefined || heard === invariant)) throw new Violation(invariant, details());
}
