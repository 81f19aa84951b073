import type { Reply } from "../../../provider/src/sandbox/http/router";
import type { Stored } from "../../support/engine-steps";
import type { Delivered, SimulatedRequest } from "../network";
import { BuildJudge } from "./builds";
import { RequestJudge } from "./requests";
import { type RunFacts, Scene, type Surroundings } from "./scene";
import { type Ended, StateJudge } from "./states";

/** Holds every request, answer and stored state against the promises. Every method throws Violation. */
export class Judge {
  readonly #scene: Scene;
  readonly #requests: RequestJudge;
  readonly #states: StateJudge;
  readonly #builds: BuildJudge;

  constructor(surroundings: Surroundings) {
    this.#scene = new Scene(surroundings);
    this.#builds = new BuildJudge(this.#scene);
    this.#requests = new RequestJudge(this.#scene, this.#builds);
    this.#states = new StateJudge(this.#scene, this.#builds, this.#requests);
  }

  /** The run that begins. */
  begin(facts: RunFacts): void {
    this.#scene.begin(facts);
    this.#requests.begin();
  }

  /** Somebody cancelled a run. */
  cancelled(run: number): void {
    this.#requests.cancelled(run);
  }

  /** A request is about to leave the provider. */
  leaving(request: SimulatedRequest): void {
    this.#requests.leaving(request);
  }

  /** A request surely does not reach the service. */
  unsent(request: SimulatedRequest): void {
    this.#requests.unsent(request);
  }

  /** Whether a request belongs to a run that was cancelled, and that nothing else happened to. */
  isToBeKnown(request: SimulatedRequest): boolean {
    return this.#requests.isToBeKnown(request);
  }

  /** The service acted on a request of a cancelled run, and changed what it has of a name. */
  late(request: SimulatedRequest, name: string): void {
    this.#requests.late(request, name);
  }

  /** The answer to a request is with the provider. */
  answered(request: SimulatedRequest, answer: Delivered): void {
    this.#requests.answered(request, answer);
  }

  /** The service acted on a request: before the ledger notes it. */
  acting(request: SimulatedRequest, reply: Reply): void {
    this.#requests.acting(request, reply);
  }

  /** The engine has imported a resource. */
  imported(stored: Stored): void {
    this.#requests.imported(stored);
  }

  /** An operation ended, and this is what the engine stores. */
  stored(ended: Ended): void {
    this.#states.stored(ended);
  }

  /** An operation failed, and left state as it was. */
  failed(name: string, before: Stored | undefined, startMoment: number): void {
    this.#states.failed(name, before, startMoment);
  }

  /** The last build that a resource asked for, when it waits for its builds and knows of it. */
  askedBy(name: string): string | undefined {
    return this.#builds.askedBy(name);
  }

  /** Whether a program has ever declared a value for a name. */
  isDeclared(environmentId: string, name: string, value: string): boolean {
    return this.#requests.isDeclared(environmentId, name, value);
  }

  /** State stays as imports have left it: something of a run was killed, or a create that was to replace an import failed. */
  forgetImports(): void {
    this.#requests.forgetImports();
  }

  /** A run is over, and nothing of it was killed. */
  ended(): void {
    this.#states.ended();
  }

  /** What a run that succeeded completely has left in state. */
  succeeded(): void {
    this.#states.succeeded();
  }
}
