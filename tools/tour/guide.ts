import type { EnvironmentView, JournalEntry, Sandbox, VariableView } from "../../provider/src/sandbox";
import { SEED } from "../../provider/src/sandbox";
import type { Finished, Pulumi } from "./pulumi";
import type { Screen } from "./screen";

/** A check of the tour failed: a defect, and the end of the tour. */
export class CheckFailedError extends Error {}

/** What the steps of the tour work with: the CLI, the service, and checks that are shown. */
export class Guide {
  readonly pulumi: Pulumi;
  readonly sandbox: Sandbox;
  readonly #screen: Screen;
  #mark = 0;

  constructor(pulumi: Pulumi, sandbox: Sandbox, screen: Screen) {
    this.pulumi = pulumi;
    this.sandbox = sandbox;
    this.#screen = screen;
  }

  /** Runs a command that must succeed. */
  async succeed(...words: readonly string[]): Promise<Finished> {
    this.#mark = this.sandbox.journal.mark();
    const finished = await this.pulumi.run(...words);
    if (finished.exitCode !== 0) {
      throw new CheckFailedError(`pulumi ${words.join(" ")} ended with exit code ${finished.exitCode}`);
    }
    return finished;
  }

  /** Runs a command that must fail. */
  async fail(...words: readonly string[]): Promise<Finished> {
    this.#mark = this.sandbox.journal.mark();
    const finished = await this.pulumi.run(...words);
    this.check("the command fails: a CI job would stop here", finished.exitCode !== 0);
    return finished;
  }

  /** Shows what was checked. @throws CheckFailedError when it does not hold. */
  check(text: string, holds: boolean): void {
    if (!holds) throw new CheckFailedError(text);
    this.#screen.confirmed(text);
  }

  /** Does in the service's dashboard, so to speak, what nobody told Pulumi. */
  byHand(text: string, change: () => void): void {
    change();
    this.#screen.byHand(text);
  }

  /** The requests of the command that ran last. */
  get requests(): readonly JournalEntry[] {
    return this.sandbox.journal.since(this.#mark);
  }

  /** The names of the variables that the last command sent, one list a PUT, sorted. */
  get sentNames(): readonly (readonly string[])[] {
    return this.requests.filter(({ label }) => label === "PUT /env-vars").map(({ names = [] }) => names.toSorted());
  }

  /** The environment of the tour: pull request 42 of the repository `web`. */
  get environment(): EnvironmentView {
    const environment = this.sandbox.world.environments.get(SEED.shopPullRequest);
    if (environment === undefined) throw new Error("the sandbox has no environment of pull request 42");
    return environment;
  }

  /** The branch that the environment has of a repository. */
  branchOf(repoName: string): string | undefined {
    return this.environment.projects.find((project) => project.repoName === repoName)?.branch;
  }

  /** A variable as the service has it, with its real value. */
  variable(name: string): VariableView | undefined {
    return this.sandbox.world.variable(SEED.shopPullRequest, name);
  }
}
