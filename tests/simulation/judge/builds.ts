import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../../provider/src/framework/properties";
import type { BuildView } from "../../../provider/src/sandbox";
import type { Stored } from "../../support/engine-steps";
import { providerOf } from "../program/model";
import { branchesOf } from "../program/wanted";
import type { SimulatedRequest } from "../network";
import { hasSameOutputs } from "../state-view";
import { hold } from "../violation";
import type { Scene } from "./scene";

const BUILD_LABELS: readonly string[] = ["PATCH /environment", "POST /environment", "POST /rebuild"];
const BRANCH_LABELS: readonly string[] = BUILD_LABELS.slice(0, 2);
const START_LABEL = "POST /restart";
/** The error of a read that a wait has to bear. Another one is about a request that got no answer. */
const PASSING =
  /^Could not read (?!.*It is not known).*: (?:the service answered (?:429|5\d\d)|no answer|the service's answer is not as)/u;

/** Holds what makes the service work on an environment against the promises: builds and branches. */
export class BuildJudge {
  readonly #scene: Scene;
  /** How many builds an environment had when a resource began to owe it one. */
  readonly #owed = new Map<string, number>();
  /** The last build that a resource asked for, as far as it knows. */
  readonly #asked = new Map<string, string>();
  /** The branches that an environment showed last. */
  readonly #shown = new Map<string, ReturnType<Scene["service"]["branchesOf"]>>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** The service acted on a request of this run. */
  acted({ environmentId, label, body, process }: SimulatedRequest): void {
    if (BUILD_LABELS.includes(label)) this.#counted(environmentId, label);
    if (label === START_LABEL || label === "POST /revive") this.#scene.run.started.add(environmentId);
    if (BUILD_LABELS.includes(label) || label === START_LABEL) this.#wakes(environmentId, label);
    if (BRANCH_LABELS.includes(label)) this.#switched(environmentId, body, process.provider);
  }

  /** An EnvironmentBranches was stored: the build that it says it waited for, and the one that it has to care for. */
  waited(name: string, after: Stored, before: Stored | undefined): void {
    const { id, outputs, initErrors } = after;
    const { run, service } = this.#scene;
    const { build, branches } = outputs;
    // The replacement of a resource knows nothing of a build that was owed.
    if (before?.id !== id || run.operations.get(name) === "replace") this.#owed.delete(name);
    this.#settled(name, after);
    const [newest] = service.builds(id);
    const ended = outputs["waitForBuild"] === false ? undefined : initErrors.find((reason) => PASSING.test(reason));
    // The first read of an update failed after a refresh of its run: it waited for nothing, and state says that it is not finished.
    const isUntouched = (run.builds.get(id) ?? 0) === 0 && hasSameOutputs(after, before);
    hold(ended === undefined || isUntouched, "patient", () => `${name} ended with: ${ended}`);
    const hasAsked = (run.builds.get(id) ?? 0) > 0 && !run.others && outputs["waitForBuild"] !== false;
    // `wake` may ask twice: the one that it waited for counts.
    const isReported = isMap(build) && build["successfullyBuilt"] === true && initErrors.length === 0;
    if (hasAsked && newest !== undefined) this.#asked.set(name, isReported ? String(build["id"]) : newest.id);
    else if (run.operations.get(name) !== "update" || outputs["waitForBuild"] === false) this.#asked.delete(name);
    this.#deployed(name, after);
    this.#built(name, after, before);
    if (!isMap(build) || build["successfullyBuilt"] !== true || initErrors.length > 0) return;
    // Where no build was needed, the last one that was waited for is still the last one.
    if (isMap(before?.outputs["build"]) && before.outputs["build"]["id"] === build["id"]) return;
    const found = service.builds(id).find((one) => one.id === build["id"]);
    hold(found?.outcome === "succeeded", "waited", () => `build ${String(build["id"])} has ${found?.outcome}`);
    if (run.others || !isMap(branches)) return;
    // `wake` may ask twice: for the branches, and to start the environment, by a rebuild or by a restart that builds. A restart by an
    // EnvironmentState may build, too, before the service shows that. Each of these builds has what is declared.
    const restarted = run.started.has(id) ? 1 : 0;
    const asked = service.builds(id).slice(0, (run.builds.get(id) ?? 0) + restarted);
    const isAsked = !hasAsked || asked.some((one) => one.id === found.id);
    hold(isAsked || this.#isMistakable(id), "waited", () => `build ${found.id} is not the one that was asked for`);
    const built = branchesIn(found);
    for (const [repo, branch] of Object.entries(branches))
      hold(built.get(repo) === branch, "waited", () => `the build has ${repo} on ${built.get(repo)}`);
  }

  /** An environment showed its branches, in an answer to this run. */
  shown(environmentId: string): void {
    this.#shown.set(environmentId, this.#scene.service.branchesOf(environmentId));
  }

  /** A build that succeeded is found, and what it deployed is still there as the provider looked last. */
  #deployed(name: string, { id, outputs, initErrors }: Stored): void {
    const { run, service } = this.#scene;
    const { branches } = outputs;
    if ((run.builds.get(id) ?? 0) === 0 || outputs["waitForBuild"] === false || !isMap(branches)) return;
    const [newest] = service.builds(id);
    const built = branchesIn(newest);
    const isRight = Object.entries(branches).every(([repo, branch]) => built.get(repo) === branch);
    const isLate = initErrors.some((reason) => reason.includes("the resource option customTimeouts"));
    const isDone = run.troubles.length === 0 && !run.others && !isLate && newest?.outcome === "succeeded" && isRight;
    hold(!isDone || initErrors.length === 0, "found", () => `${name} ended with: ${initErrors.join("; ")}`);
    const isShownLate = this.#scene.history.choices.branchesShown === "afterBuild";
    if (!run.switched.has(id) || initErrors.length > 0 || isShownLate) return;
    for (const { repoName, branch } of this.#shown.get(id) ?? []) {
      const declared = branches[repoName];
      hold(declared === undefined || declared === branch, "deployed", () => `${repoName} was seen on ${branch}`);
    }
  }

  /** What is created, or declared anew, was not built in vain, unless a build is due. */
  #built(name: string, { id, outputs }: Stored, before: Stored | undefined): void {
    const { run, service } = this.#scene;
    const { branches, pending, waitForBuild } = outputs;
    const isAnew = before?.id !== id || !isDeepStrictEqual(before.outputs["branches"], branches);
    if (!isAnew || run.others || waitForBuild === false || pending !== undefined || !isMap(branches)) return;
    // Somebody deleted it during that build: there was no build to join, and a revived environment builds anew.
    if (run.asleep.has(id)) return;
    const [newest] = service.builds(id);
    const built = branchesIn(newest);
    const declared = Object.entries(branches);
    const isOfThese = declared.length > 0 && declared.every(([repo, branch]) => built.get(repo) === branch);
    const isRight = !isOfThese || newest?.outcome !== "failed" || this.#isMistakable(id);
    hold(isRight, "built", () => `build ${newest?.id} of ${name} failed`);
  }

  /**
   * Whether the service does not list what is queued before the build of this run: two builds, one that it shows late to run, or one after a
   * build that failed. Such a build may count as ours (docs/limits.md).
   */
  #isMistakable(environmentId: string): boolean {
    const { history, run } = this.#scene;
    return (history.choices.buildListed ?? "immediately") !== "immediately" && run.crowded.has(environmentId);
  }

  /** The last build that a resource asked for, when it waits for its builds and knows of it. */
  askedBy(name: string): string | undefined {
    return this.#asked.get(name);
  }

  #counted(environmentId: string, label: string): void {
    const { service, history, run } = this.#scene;
    const { builds, kind, model, restorers, crowded, asleep } = run;
    const count = (builds.get(environmentId) ?? 0) + 1;
    builds.set(environmentId, count);
    const open = service.builds(environmentId).filter(({ outcome }) => outcome === "inFlight").length;
    const ended = service.builds(environmentId).find(({ outcome }) => outcome !== "inFlight");
    // A listed build that failed looks like one that runs.
    const isHidden = history.choices.processingStarts === "late" || ended?.outcome === "failed";
    if (open > 2 || (open > 1 && isHidden)) crowded.add(environmentId);
    const index = this.#scene.indexOf(environmentId);
    const declared = kind === "up" ? branchesOf(model, index) : undefined;
    const own = declared?.name;
    for (const { key, stored } of this.#scene.resources())
      if (key !== own && stored.outputs["onDestroy"] === "restore") restorers.add(stored);
    const restores = [...restorers].filter(({ id }) => id === environmentId);
    // An EnvironmentState starts a stopped environment with a rebuild where a restart is refused.
    const starts = kind === "up" && index === 0 && model.power !== undefined ? 1 : 0;
    // A service that builds what it starts builds once more, after a build that has not started the environment.
    const wakes = declared?.branches.whenStopped === "wake" && asleep.has(environmentId) ? 1 : 0;
    const most = restores.length + (declared === undefined ? 0 : 1) + wakes + starts;
    hold(count <= most, "builds", () => `${label} is build ${count} of this run, ${most} may be`);
  }

  /** An environment that slept as the run began is left to sleep when the program says so. */
  #wakes(environmentId: string, label: string): void {
    const { asleep, others, kind, model } = this.#scene.run;
    const index = this.#scene.indexOf(environmentId);
    const sleeps = branchesOf(model, index)?.branches.whenStopped === "skip";
    const isPowered = index === 0 && model.power !== undefined;
    if (kind !== "up" || others || !sleeps || isPowered) return;
    hold(!asleep.has(environmentId), "asleep", () => `${label} went to ${environmentId}`);
  }

  /** A build that is owed stays so until it is done. What is to wake an environment has woken it. */
  #settled(name: string, { id, outputs, initErrors }: Stored): void {
    const { run, service } = this.#scene;
    const pending = isMap(outputs["pending"]) ? outputs["pending"] : {};
    const count = service.builds(id).length;
    // An EnvironmentState may start a build between the look of the branches and the end of their step.
    const countBefore = count - (run.builds.get(id) ?? 0) - (run.started.has(id) ? 1 : 0);
    const owedAt = this.#owed.get(name);
    if (pending["status"] === "owed") this.#owed.set(name, owedAt ?? countBefore);
    else if (owedAt !== undefined) {
      this.#owed.delete(name);
      hold(count > owedAt, "owed", () => `${name} has no build since`);
    }
    const hasBuilt = (run.builds.get(id) ?? 0) > 0 && initErrors.length === 0 && !run.others;
    const isWoken = outputs["whenStopped"] !== "wake" || !hasBuilt || !service.isAsleep(id);
    hold(isWoken, "woken", () => `${id} sleeps after the build of ${name}`);
  }

  /** No branch is taken from the resource that declares it. */
  #switched(environmentId: string, body: string, provider: string | undefined): void {
    const { kind, model, checked } = this.#scene.run;
    const own = branchesOf(model, this.#scene.indexOf(environmentId));
    // The engine does not show what is no target, or what depends on something that failed.
    if (kind !== "up" || own === undefined || !checked.has(own.name)) return;
    // The process of another Provider has not seen the declaration (docs/limits.md).
    if (providerOf(model, own.isPreview ? "previews" : "branches") !== provider) return;
    for (const [repo, branch] of sentBranches(body)) {
      const declared = own.branches.branches[repo];
      const isHeld = declared === undefined || declared === branch;
      hold(isHeld, "held", () => `${repo} was put on ${branch}, ${declared} is declared`);
    }
  }
}

function branchesIn(build: BuildView | undefined): ReadonlyMap<string, string> {
  return new Map(build?.projects.map(({ repoName, branch }) => [repoName, branch]));
}

function sentBranches(body: string): readonly (readonly [repo: string, branch: string])[] {
  type Sent = readonly { readonly repo_name: string; readonly branch: string }[];
  const { data }: { readonly data: { readonly attributes: { readonly projects: Sent } } } = JSON.parse(body);
  return data.attributes.projects.map(({ repo_name: repo, branch }) => [repo, branch]);
}
