import { type ResourceFacts, secretInputsOf, type VisibleInput } from "./resource-facts";

// Inputs that the service shows as plain text, and the warning of them. A program loads this file: it imports nothing that is heavy.

/** The input of these inputs that the service shows as plain text. `undefined` when it shows none. */
export function visibleInputOf(
  facts: ResourceFacts,
  inputs: Readonly<Record<string, unknown>>,
): VisibleInput | undefined {
  const { visibleInput } = facts;
  return visibleInput === undefined || secretInputsOf(facts, inputs).includes(visibleInput.name)
    ? undefined
    : visibleInput;
}

/** The warning about Pulumi secrets in such an input. `what` is like `EnvVarSet "vars": variables.TOKEN`. */
export function visibleSecretWarning(what: string, advice: string, count: number = 1): string {
  const [are, them] = count === 1 ? ["is a Pulumi secret", "it"] : ["are Pulumi secrets", "them"];
  return `${what} ${are}, and the service shows ${them} to everybody who can open the dashboard: ${advice}.`;
}
