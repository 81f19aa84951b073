import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { parseJson } from "../client/answer";
import { isKeptWhenDropped } from "../framework/list-mark";
import { hasUnknown, pick } from "../framework/properties";
import { BLANK, BRANCHES, buildForNextUpIn, errorsAmong, isUnfinished, ownTypeOf, resourceOf } from "./engine-event";
import type { Deployment } from "./stack-export";

const texts = z.array(z.string()).catch([]);
const text = z.string().optional().catch(undefined);
/** What state keeps of the options of a resource. Left out is what only decides how differences are shown. */
const OPTIONS = [
  "additionalSecretOutputs",
  "customTimeouts",
  "deletedWith",
  "ignoreChanges",
  "protect",
  "replaceOnChanges",
  "replaceWith",
  "resourceHooks",
  "retainOnDelete",
];
const state = z.looseObject({
  type: z.string(),
  parent: text,
  provider: text,
  deletedWith: text,
  initErrors: texts,
  dependencies: texts,
  propertyDependencies: z.record(z.string(), texts).catch({}),
  inputs: z.record(z.string(), z.unknown()).catch({}),
  outputs: z.record(z.string(), z.unknown()).catch({}),
});
const stateOrNone = state.nullish().transform((given) => given ?? undefined);
const step = z.object({ op: z.string(), urn: z.string(), oldState: stateOrNone, newState: stateOrNone });
/** A document that cannot be read names no resource, so that nothing is restored. */
const digest = z
  .object({
    config: z.record(z.string(), z.unknown()).default({}),
    steps: z.array(step).default([]),
    diagnostics: z.array(z.object({ message: z.string(), severity: z.string() })).default([]),
  })
  .catch({ config: {}, steps: [], diagnostics: [] });

/** Why a resource is left as it is. */
const UNDEPLOYED = "the program has changes that were never deployed";
const ELSEWHERE = "`previewenv:baseUrl` is not that of the last `up`, or is a secret";
const UNFINISHED = "its last update did not finish";
/** A component with a list of environments has declared it. */
export const UNLISTED = "the program does not declare it now, or its list of environments lacks this one";
const DUE = "its build is due, and only `pulumi up` requests it";
/** The types that build or act when an input changes. */
const ACTORS: ReadonlySet<string> = new Set([BRANCHES, "EnvironmentAction", "SnapshotLoad"]);

type State = z.output<typeof state>;
type Step = z.output<typeof step>;

/** The changes that today's program would make in the last deployment. */
export class Program {
  readonly #steps: ReadonlyMap<string, readonly Step[]>;
  readonly #baseUrl: unknown;
  readonly #deployedBaseUrls: ReadonlyMap<string, unknown>;

  /**
   * @param baseUrl that of today's stack config
   * @param deployedBaseUrls those of the providers in state, by URN
   */
  constructor(steps: readonly Step[], baseUrl: unknown, deployedBaseUrls: ReadonlyMap<string, unknown>) {
    this.#steps = Map.groupBy(steps, ({ urn }) => urn);
    this.#baseUrl = baseUrl;
    this.#deployedBaseUrls = deployedBaseUrls;
  }

  /**
   * Why an update of this resource alone would not bring back what was last deployed. Nothing when it would: the resource is
   * in the program and unchanged, as is its provider, and depends on nothing that was never deployed.
   */
  reasonToLeave(urn: string): string | undefined {
    const steps = this.#steps.get(urn) ?? [];
    const deployed = steps.flatMap(({ oldState = [] }) => oldState);
    if (deployed.some(isUnfinished)) return UNFINISHED;
    if (deployed.some(({ type, outputs }) => buildForNextUpIn(ownTypeOf(type), outputs) !== undefined)) return DUE;
    if (deployed.some(({ outputs }) => isKeptWhenDropped(outputs)) && steps.some(({ op }) => op === "delete"))
      return UNLISTED;
    if (deployed.some((each) => this.#isElsewhere(each))) return ELSEWHERE;
    return this.#isSame(urn) && steps.every((each) => this.#isAsDeployed(each)) ? undefined : UNDEPLOYED;
  }

  /** The deployed EnvironmentBranches whose `rebuildOn` names one of these resources, by the program or as last deployed. */
  rebuildersOf(restored: ReadonlySet<string>) {
    return [...this.#steps].flatMap(([urn, steps]) => {
      const deployed = deployedBy(steps);
      if (deployed === undefined || ownTypeOf(deployed.type) !== BRANCHES) return [];
      const states = steps.flatMap(({ oldState, newState }) => [oldState, newState]);
      const rebuildOn = states.flatMap((each) => each?.propertyDependencies["rebuildOn"] ?? []);
      return rebuildOn.some((name) => restored.has(name)) ? [resourceOf(urn, BRANCHES, deployed.outputs)] : [];
    });
  }

  /**
   * The deployed resources for which an `up` would build or act, and would not have done the same by an earlier comparison. The program reads
   * some values from the service, such as those of a `get`: what takes one was due for the drifted value, and is due for the restored one. A
   * secret and a value that is not known look the same in both, so they count as another value.
   */
  dueSince(earlier: Program) {
    return [...this.#steps].flatMap(([urn, steps]) => {
      const deployed = deployedBy(steps);
      const type = ownTypeOf(deployed?.type ?? "");
      if (deployed === undefined || !ACTORS.has(type) || !this.isDue(urn)) return [];
      const [before, now] = [earlier.#steps.get(urn) ?? [], steps].map((all) => all.map(inputsOf));
      return isDeepStrictEqual(before, now) && !isObscured(now) ? [] : [resourceOf(urn, type, deployed.outputs)];
    });
  }

  /** Whether an `up` would do something with this resource. */
  isDue(urn: string): boolean {
    return !this.#isSame(urn);
  }

  /** Those of some resources that are this one, or depend on it, be it through others. */
  dependentsAmong(urn: string, some: ReadonlySet<string>): readonly string[] {
    if (some.size === 0) return [];
    const dependents = new Set([urn]);
    // A value that is added to a set during a walk is visited, too.
    for (const dependent of dependents)
      for (const [other, steps] of this.#steps)
        if (steps.some(({ oldState }) => oldState !== undefined && dependenciesOf(oldState).includes(dependent)))
          dependents.add(other);
    return [...dependents].filter((dependent) => some.has(dependent));
  }

  #isAsDeployed({ oldState, newState }: Step): boolean {
    if (oldState === undefined || newState === undefined || oldState.provider !== newState.provider) return false;
    // An update stores them, and the engine takes a resource of which only they have changed for the same.
    if (!isDeepStrictEqual(pick(oldState, OPTIONS), pick(newState, OPTIONS))) return false;
    return this.#isProviderSame(newState) && !dependenciesOf(newState).some((urn) => this.#isNew(urn));
  }

  #isSame(urn: string): boolean {
    const steps = this.#steps.get(urn);
    return steps !== undefined && steps.every(({ op }) => op === "same");
  }

  /** A default provider has no step of its own: its settings are not part of the program. */
  #isProviderSame(resource: State): boolean {
    const urn = providerOf(resource);
    return !this.#steps.has(urn) || this.#isSame(urn);
  }

  /**
   * Whether a default provider would write to another service than the one that a refresh looks at. Another token is no reason to leave a
   * resource: it may have been rotated. State and the preview show no secret, so two secret addresses differ here.
   */
  #isElsewhere(resource: State): boolean {
    const urn = providerOf(resource);
    return !this.#steps.has(urn) && this.#deployedBaseUrls.get(urn) !== this.#baseUrl;
  }

  #isNew(urn: string): boolean {
    return (this.#steps.get(urn) ?? []).some(({ op }) => op === "create");
  }
}

/** The URN of the provider of a resource. The reference to it also has its id. */
function providerOf({ provider = "" }: State): string {
  return provider.split("::").slice(0, -1).join("::");
}

/** The resources that a resource names. When one of them was never created, the engine does not update the resource. */
function dependenciesOf({ parent, deletedWith, dependencies, propertyDependencies }: State): readonly string[] {
  const others = [...dependencies, ...Object.values(propertyDependencies).flat()];
  return [parent, deletedWith, ...others].filter((urn) => urn !== undefined);
}

/** A resource as it was last deployed. */
function deployedBy(steps: readonly Step[]): State | undefined {
  return steps.find(({ oldState }) => oldState !== undefined)?.oldState;
}

/** What a preview would do with a resource, and what it would give it. */
function inputsOf({ op, newState }: Step) {
  return { op, inputs: newState?.inputs };
}

/** Whether a preview does not show all of this. */
function isObscured(value: unknown): boolean {
  return hasUnknown(value) || JSON.stringify(value).includes(BLANK);
}

/** Reads what `pulumi preview --json` wrote. The errors say why it failed, if it did. */
export function readProgram(
  json: string,
  { resources }: Deployment,
): { readonly program: Program; readonly errors: readonly string[] } {
  const { config, steps, diagnostics } = digest.parse(parseJson(json));
  // The dynamic provider gets the whole stack config, and the plugin its own part.
  const baseUrls = (resources ?? []).map(
    ({ urn, inputs }) => [urn, inputs?.["previewenv:baseUrl"] ?? inputs?.["baseUrl"]] as const,
  );
  const program = new Program(steps, config["previewenv:baseUrl"], new Map(baseUrls));
  return { program, errors: errorsAmong(diagnostics) };
}
