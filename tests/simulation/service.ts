import { type BuildView, type Choices, defaultChoices } from "../../provider/src/sandbox";
import { addEnvironment } from "../../provider/src/sandbox/domain/seed";
import { Store } from "../../provider/src/sandbox/domain/store";
import { World } from "../../provider/src/sandbox/domain/world";
import { Service } from "../../provider/src/sandbox/http/service";
import type { Chance } from "./chance";
import { type Foreign, perform } from "./foreign";
import { Ledger } from "./ledger";
import type { Timeline } from "./timeline";

/** The token that it takes. */
export const TOKEN = "t0ken-of-the-simulation";

/** Repositories of every environment of the simulation. */
export const REPOSITORIES = ["web", "api"] as const;

/** A variable that others manage, that no set prunes, and that programs look at. */
export const SHARED = "KEPT_SHARED";

/** Names of the environments of the simulation. */
export const ENVIRONMENTS = ["one", "two", "three"] as const;

/** The environment that may be removed for good, counted from 0: only what is declared for each environment is there. */
export const REMOVABLE = 2;

const BUILD_SECONDS = 20;
const MS_PER_SECOND = 1_000;
const MAX_SET_BACKS = 2;

export function seedOf(name: string) {
  return {
    name,
    // More than a page of history.
    builds: 25,
    projects: REPOSITORIES.map((repoName) => ({ repoName, branch: "main" })),
    variables: [
      { name: "HAND_MADE", value: "hand-made", hidden: false },
      { name: "KEPT_SECRET", value: "zz-nobody-declares-this-zz", hidden: true },
      { name: SHARED, value: "zz-shared-by-somebody-zz", hidden: true },
    ],
  };
}

/** The service with its clock, its token and its people. */
export class SimulatedService {
  readonly world: World;
  readonly environmentIds: readonly string[];
  readonly ledger: Ledger;
  /** What answers requests. */
  readonly endpoint: Service;
  readonly #store: Store;
  readonly #tokens = new Set([TOKEN]);
  /** How many builds an environment had when others made the next one fail. */
  readonly #failing = new Map<string, number>();
  /** How far the clock has gone back. */
  #behindMs = 0;
  #setBacks = 0;

  constructor(choices: Partial<Choices>, timeline: Timeline, chance: Chance) {
    this.#store = new Store({
      clock: { now: () => timeline.now() - this.#behindMs },
      buildSeconds: BUILD_SECONDS,
      choices: { ...defaultChoices, ...choices },
      newId: () => chance.uuid(),
    });
    this.environmentIds = ENVIRONMENTS.map((name) => addEnvironment(this.#store, seedOf(name)).id);
    this.world = new World(this.#store);
    this.ledger = new Ledger(this.world, this.environmentIds);
    this.endpoint = new Service(this.#store, this.#tokens);
  }

  perform(act: Foreign): void {
    if (act.act === "revokeToken") this.#tokens.clear();
    else if (act.act === "grantToken") this.#tokens.add(TOKEN);
    else if (act.act === "clock") this.#setBack(act.seconds);
    else {
      const id = this.environmentIds[act.on] ?? "";
      if (act.act === "failNextBuild" && this.exists(id)) this.#failing.set(id, this.world.builds(id).length);
      perform(this.world, this.environmentIds, act);
    }
  }

  /** Whether it takes the token. */
  get hasToken(): boolean {
    return this.#tokens.size > 0;
  }

  /** Environments that it lists: counted from 0. */
  get listed(): readonly number[] {
    return this.environmentIds.flatMap((id, index) => (this.isGone(id) ? [] : [index]));
  }

  /** Environments whose next build, which has not begun yet, is going to fail: counted from 0. */
  get doomed(): readonly number[] {
    const isDoomed = (id: string): boolean => this.exists(id) && this.#failing.get(id) === this.world.builds(id).length;
    return this.environmentIds.flatMap((id, on) => (isDoomed(id) ? [on] : []));
  }

  /** Whether it has an environment, deleted or not. */
  exists(id: string): boolean {
    return this.world.environments.get(id) !== undefined;
  }

  /** Whether an environment does not run. */
  isAsleep(id: string): boolean {
    const { stopped = false, retired = false, deleted = false } = this.world.environments.get(id) ?? {};
    return stopped || retired || deleted;
  }

  /** Whether an environment is deleted, or was never there. */
  isGone(id: string): boolean {
    return this.world.environments.get(id)?.deleted ?? true;
  }

  builds(id: string): readonly BuildView[] {
    return this.exists(id) ? this.world.builds(id) : [];
  }

  /** The branches that an environment is to have. */
  branchesOf(id: string): readonly { readonly repoName: string; readonly branch: string }[] {
    return this.world.environments.get(id)?.projects ?? [];
  }

  /** Builds that run end first, since they would wait for their time to come again. */
  #setBack(seconds: number): void {
    for (const id of this.environmentIds) if (this.exists(id)) this.world.finishBuilds(id);
    // Of a page of builds that goes back in time again and again, nobody can tell the order.
    if (this.#setBacks === MAX_SET_BACKS) return;
    this.#setBacks += 1;
    this.#behindMs += seconds * MS_PER_SECOND;
    this.#store.lastQueuedMicros = 0;
  }
}
