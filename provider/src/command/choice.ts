import { closestMatch } from "leven";
import { UsageError } from "./mistake";

/** The choice that a text names. @throws UsageError that lists all, and names the nearest one */
export function choiceOf<T extends string>(option: string, choices: readonly T[], text: string): T {
  const chosen = choices.find((choice) => choice === text);
  if (chosen !== undefined) return chosen;
  const similar = closestMatch(text, choices, { maxDistance: Math.ceil(text.length / 2) });
  const meant = similar === undefined ? "" : `. Did you mean ${similar}?`;
  throw new UsageError(`${option} must be one of ${choices.join(", ")}, but is ${JSON.stringify(text)}${meant}`);
}
