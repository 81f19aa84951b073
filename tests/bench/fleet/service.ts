import { type Sandbox, startSandbox } from "../../../provider/src/sandbox";

/** The repository of every environment. */
export const REPOSITORY = "web";

/** A service with many environments of one repository, and what is sent to it. */
export class FleetService implements AsyncDisposable {
  readonly #sandbox: Sandbox;

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  static async start(size: number, buildSeconds = 0): Promise<FleetService> {
    const environments = Array.from({ length: size }, (_, index) => ({
      name: `pr-${index}`,
      projects: [{ repoName: REPOSITORY, branch: `feature-${index}`, pullRequestNumber: index + 1 }],
    }));
    return new FleetService(await startSandbox({ environments, buildSeconds }));
  }

  /** Settings of a provider of this service. */
  get env(): Readonly<Record<string, string>> {
    return { PREVIEWENV_BASE_URL: this.#sandbox.url, PREVIEWENV_API_TOKEN: this.#sandbox.token };
  }

  /** How many requests of each kind came since this was last called. */
  requests(): Readonly<Record<string, number>> {
    const { journal } = this.#sandbox;
    const counts: Record<string, number> = {};
    for (const { label } of journal.entries) counts[label] = (counts[label] ?? 0) + 1;
    journal.clear();
    return counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sandbox.close();
  }
}
