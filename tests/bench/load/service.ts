import { randomUUID } from "node:crypto";
import { type Sandbox, startSandbox } from "../../../provider/src/sandbox";

/** Requests since the last look. */
export interface Traffic {
  readonly requests: number;
  /** Most variables that a PUT carried. */
  readonly mostInRequest: number;
}

/** A service with one environment, and what is sent to it. */
export class LoadService implements AsyncDisposable {
  readonly environmentId = randomUUID();
  readonly #sandbox: Sandbox;

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    const projects = [{ repoName: "web", branch: "main" }];
    sandbox.world.environments.add({ id: this.environmentId, name: "load", projects });
  }

  static async start(): Promise<LoadService> {
    return new LoadService(await startSandbox());
  }

  /** Settings of a provider of this service. */
  get env(): Readonly<Record<string, string>> {
    return { PREVIEWENV_BASE_URL: this.#sandbox.url, PREVIEWENV_API_TOKEN: this.#sandbox.token };
  }

  /** What came since this was last called. */
  traffic(): Traffic {
    const { journal } = this.#sandbox;
    const puts = journal.entries.map(({ method, names = [] }) => (method === "PUT" ? names.length : 0));
    const traffic = {
      requests: journal.entries.length,
      mostInRequest: puts.reduce((most, one) => Math.max(most, one), 0),
    };
    journal.clear();
    return traffic;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sandbox.close();
  }
}
