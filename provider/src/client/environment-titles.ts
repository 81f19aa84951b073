import type { Environment } from "./environment-answer";
import { environmentTitle } from "./error-text";
import { environmentKey } from "./names";

/** The names of the environments that were read so far, for messages. They cost no request of their own. */
export class EnvironmentTitles {
  readonly #names = new Map<string, string>();

  /** The service has answered an environment. */
  note({ id, name }: Environment): void {
    this.#names.set(environmentKey(id), name);
  }

  /** An environment as messages name it: `shop-pr-9 (<id>)`, or its id while its name is not known. */
  of(id: string): string {
    return environmentTitle({ id, name: this.#names.get(environmentKey(id)) });
  }
}
