/**
 * Names that a create or update of this provider process wrote or took over. A later update or delete of another
 * resource leaves them alone: renaming a Pulumi resource, a forced replace, or moving a name from one set to another
 * hands the variable over instead of losing it.
 */
export class Claims {
  readonly #names = new Map<string, Set<string>>();

  add(environmentId: string, name: string): void {
    const names = this.#names.get(environmentId) ?? new Set();
    this.#names.set(environmentId, names.add(name));
  }

  has(environmentId: string, name: string): boolean {
    return this.#names.get(environmentId)?.has(name) ?? false;
  }
}
