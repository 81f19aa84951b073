import { type Provider, ProviderFailure } from "./host";
import type { Declared } from "./engine-steps";
import { resolved, type State } from "./engine-dependencies";

/** What a program only looks at: it is read in each run, no step is made for it, and others may use its outputs. */
export class Looks {
  readonly #found = new Map<string, { readonly outputs: Readonly<Record<string, unknown>> }>();

  /** Reads such a resource; false when it could not be read. */
  async take(provider: Provider, errors: string[], name: string, declared: Declared): Promise<boolean> {
    const { type, inputs, lookUp = "" } = declared;
    try {
      const found = await provider.lookUp(type, lookUp, inputs, { name });
      if (found === undefined) throw new ProviderFailure(`resource '${lookUp}' does not exist`);
      this.#found.set(name, found);
      return true;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      errors.push(error.message);
      return false;
    }
  }

  /** Inputs with the outputs that they name. */
  resolved(declared: Declared, state: State): Declared {
    return resolved(declared, new Map([...state, ...this.#found]));
  }
}
