/** Some variables of an environment, of which half are secrets. */
export interface LoadVariables {
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

const VALUE_LENGTH = 40;

/** Variables with values of 40 characters, all others in each generation. */
export function loadVariables(count: number, generation: number): LoadVariables {
  const entries = Array.from({ length: count }, (_, index) => {
    const value = `value-${index}-of-generation-${generation}-`.padEnd(VALUE_LENGTH, "x");
    return [`VARIABLE_${String(index).padStart(5, "0")}`, value] as const;
  });
  const half = Math.ceil(count / 2);
  return {
    variables: Object.fromEntries(entries.slice(0, half)),
    secrets: Object.fromEntries(entries.slice(half)),
  };
}
