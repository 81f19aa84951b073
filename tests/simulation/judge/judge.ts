import { BuildJudge } from "./builds";
import { RequestJudge } from "./requests";
import { type RunFacts, Scene, type Surroundings } from "./scene";
import { StateJudge } from "./states";

/** Holds every request, answer and stored state against the promises. Every method of its parts throws Violation. */
export class Judge {
  readonly requests: RequestJudge;
  readonly states: StateJudge;
  readonly builds: BuildJudge;
  readonly #scene: Scene;

  constructor(surroundings: Surroundings) {
    this.#scene = new Scene(surroundings);
    this.builds = new BuildJudge(this.#scene);
    this.requests = new RequestJudge(this.#scene, this.builds);
    this.states = new StateJudge(this.#scene, this.builds, this.requests);
  }

  /** The run that begins. */
  begin(facts: RunFacts): void {
    this.#scene.begin(facts);
    this.requests.begin();
  }
}
