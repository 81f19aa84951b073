import { finishInFlight, endInFlight, inFlight, isProcessing, isReady, queueBuild } from "./builds";
import { commitKey, switched } from "./commits";
import { refuseUnknown } from "./fields";
import { type Environment, type Flags, FLAGS, isRunning, type SnapshotLoad } from "./model";
import { addEnvironment, type EnvironmentSeed } from "./seed";
import type { Store } from "./store";
import { MS_PER_SECOND, toMicroseconds, toSeconds } from "./timestamps";
import { upsert, type VariableSeed } from "./variables";
import type { BuildView, EnvironmentView, VariableView } from "./views";

/** The environments of a world. */
export interface Environments {
  /** All of them, deleted ones included, in the order they were added. */
  list(): EnvironmentView[];
  get(environmentId: string): EnvironmentView | undefined;
  /** Throws when the id is taken. */
  add(seed: EnvironmentSeed): EnvironmentView;
}

/**
 * The actions of a person in the dashboard, and the facts that a test looks at. Nothing here is in the journal.
 * Every method that takes an environment id throws when there is no such environment.
 */
export class World {
  readonly environments: Environments;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    this.environments = {
      list: () => Array.from(store.environments.values(), (environment) => this.#view(environment)),
      get: (environmentId) => {
        const environment = store.find(environmentId);
        return environment === undefined ? undefined : this.#view(environment);
      },
      add: (seed) => {
        const environment = addEnvironment(store, seed);
        store.changed();
        return this.#view(environment);
      },
    };
  }

  /** Creates or replaces a variable, as somebody does in the dashboard: `hidden` is true when left out. */
  setVariable(environmentId: string, seed: VariableSeed): void {
    upsert(this.#store, this.#find(environmentId), seed);
    this.#store.changed();
  }

  /** Deletes a variable. False when there was none. */
  deleteVariable(environmentId: string, name: string): boolean {
    const existed = this.#find(environmentId).variables.delete(name);
    this.#store.changed();
    return existed;
  }

  /** The variable with its real value. Undefined when there is none. */
  variable(environmentId: string, name: string): VariableView | undefined {
    return this.variables(environmentId, [name])[0];
  }

  /** All variables, or those with the given names, with their real values. */
  variables(environmentId: string, names?: readonly string[]): VariableView[] {
    const { variables } = this.#find(environmentId);
    const wanted = names ?? [...variables.keys()];
    return wanted.flatMap((name) => {
      const variable = variables.get(name);
      if (variable === undefined) return [];
      const { createdAtMs, updatedAtMs, ...rest } = variable;
      return [{ ...rest, createdAt: toSeconds(createdAtMs), updatedAt: toSeconds(updatedAtMs) }];
    });
  }

  /** Switches one repository to another branch and queues a build, as the dashboard would. `{build: false}` queues none. */
  switchBranch(environmentId: string, repoName: string, branch: string, options: { build?: boolean } = {}): void {
    const environment = this.#find(environmentId);
    const known = environment.projects.map((project) => project.repoName);
    if (!known.includes(repoName)) {
      throw new Error(`environment ${environmentId} has no repository ${repoName}, only ${known.join(", ")}`);
    }
    environment.projects = environment.projects.map((project) =>
      project.repoName === repoName ? switched(this.#store, project, branch) : project,
    );
    if (options.build === false) environment.deployed = environment.projects;
    else queueBuild(this.#store, environment);
    this.#store.changed();
  }

  /** Pushes a commit to the branch a repository is on, and queues a build of it. */
  pushCommit(environmentId: string, repoName: string): void {
    const environment = this.#find(environmentId);
    const project = environment.projects.find((candidate) => candidate.repoName === repoName);
    if (project === undefined) throw new Error(`environment ${environmentId} has no repository ${repoName}`);
    const key = commitKey(project);
    this.#store.commits.set(key, (this.#store.commits.get(key) ?? 0) + 1);
    queueBuild(this.#store, environment);
    this.#store.changed();
  }

  /** Sets flags as they are, without a build. One that is in flight ends when the environment no longer runs. */
  setFlags(environmentId: string, flags: Partial<Flags>): void {
    const environment = this.#find(environmentId);
    refuseUnknown(flags, FLAGS, "a set of flags");
    environment.flags = { ...environment.flags, ...flags };
    if (!isRunning(environment)) endInFlight(this.#store, environment);
    this.#store.changed();
  }

  /** The environment vanishes: everything about it answers 404. */
  remove(environmentId: string): void {
    this.#store.environments.delete(this.#find(environmentId).id);
    this.#store.changed();
  }

  /** All builds, newest first. */
  builds(environmentId: string): BuildView[] {
    const environment = this.#find(environmentId);
    inFlight(this.#store, environment);
    return environment.builds
      .map(({ id, outcome, queuedAtMicros, projects }) => ({
        id,
        outcome,
        queuedAt: toMicroseconds(queuedAtMicros),
        projects,
      }))
      .toReversed();
  }

  /** Queues a build of the branches as they are. */
  queueBuild(environmentId: string): void {
    queueBuild(this.#store, this.#find(environmentId));
    this.#store.changed();
  }

  /** The next build that is queued will end unsuccessfully. */
  failNextBuild(environmentId: string): void {
    const environment = this.#find(environmentId);
    environment.nextBuild = { ...environment.nextBuild, fails: true };
    this.#store.changed();
  }

  /** The next build that is queued will take this many seconds. */
  slowNextBuild(environmentId: string, seconds: number): void {
    const environment = this.#find(environmentId);
    environment.nextBuild = { ...environment.nextBuild, seconds };
    this.#store.changed();
  }

  /** The next build that is queued will go as usual: takes `failNextBuild` and `slowNextBuild` back. */
  resetNextBuild(environmentId: string): void {
    this.#find(environmentId).nextBuild = {};
    this.#store.changed();
  }

  /** Ends a build that is in flight now, the way it would have ended. */
  finishBuilds(environmentId: string): void {
    finishInFlight(this.#store, this.#find(environmentId));
    this.#store.changed();
  }

  /** Sets the clock back from which new builds take their `queued_at`: they seem to be older than builds before them. */
  setClockBack(seconds: number): void {
    this.#store.clockBackMs = seconds * MS_PER_SECOND;
    this.#store.lastQueuedMicros = 0;
  }

  /** The snapshot loads that were asked for, oldest first. */
  snapshotLoads(environmentId: string): readonly SnapshotLoad[] {
    return [...this.#find(environmentId).snapshotLoads];
  }

  #find(environmentId: string): Environment {
    const environment = this.#store.find(environmentId);
    if (environment === undefined) throw new Error(`the sandbox has no environment ${environmentId}`);
    return environment;
  }

  #view(environment: Environment): EnvironmentView {
    const { id, name, url, bypassToken, projects, flags, nextBuild } = environment;
    const processing = isProcessing(this.#store, environment);
    const ready = isReady(this.#store, environment);
    return { id, name, url, bypassToken, ...flags, processing, ready, projects, nextBuild };
  }
}
