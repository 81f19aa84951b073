import { nameList } from "../client/error-text";
import type { Path, Properties } from "./properties";
import { type ResourceFacts, secretInputsOf, type VisibleInput } from "./resource-facts";

// Inputs that the service shows as plain text, and the warning of them. A program loads this file: it imports nothing that is heavy.

/** The input of these inputs that the service shows as plain text. `undefined` when it shows none. */
export function visibleInputOf(facts: ResourceFacts, inputs: Properties): VisibleInput | undefined {
  const { visibleInput } = facts;
  return visibleInput === undefined || secretInputsOf(facts, inputs).includes(visibleInput.name)
    ? undefined
    : visibleInput;
}

/** The inputs in which a program may mark secrets that no declaration says. */
export function inputsWithSecrets({ shownInMessages, visibleInput }: ResourceFacts): readonly string[] {
  return visibleInput === undefined ? shownInMessages : [...shownInMessages, visibleInput.name];
}

/** The warning of Pulumi secrets in such an input: it, or entries of it. State keeps them encrypted. The dashboard does not. */
export function visibleSecretWarnings(
  label: string,
  facts: ResourceFacts,
  inputs: Properties,
  secrets: readonly Path[],
): readonly string[] {
  const visible = visibleInputOf(facts, inputs);
  const paths = secrets.filter(([input]) => input === visible?.name).map((path) => path.join("."));
  if (visible === undefined || paths.length === 0) return [];
  const [are, them] = paths.length === 1 ? ["is a Pulumi secret", "it"] : ["are Pulumi secrets", "them"];
  return [
    `${label}: ${nameList(paths)} ${are}, and the service shows ${them} to everybody who can open the dashboard: ${visible.advice}.`,
  ];
}
