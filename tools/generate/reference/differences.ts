/** One thing that the dynamic provider and the plugin do differently. */
interface Difference {
  readonly topic: string;
  readonly dynamic: string;
  readonly plugin: string;
}

/** Everything that they do differently: the reference shows it, and `tests/contract/differences.spec.ts` proves both sides of each row. */
export const differences = {
  import: {
    topic: "Import",
    dynamic: "Not possible. Pulumi loads a dynamic provider's code from state, and an import has no state.",
    plugin: "`pulumi import` and the option `import`, with the ids that each resource names.",
  },
  cancel: {
    topic: "Ctrl-C",
    dynamic:
      "Pulumi does not tell the provider. After the first Ctrl-C the step continues to its end. The second Ctrl-C ends it. Run the same command again.",
    plugin: "Ends waits and requests within a second. State has what was done and what may have been done.",
  },
  "custom-timeouts": {
    topic: "`customTimeouts`",
    dynamic: "No effect. Only `buildTimeoutSeconds` and `timeoutSeconds` limit a wait.",
    plugin: "Limits the whole step. The shorter of this time and `buildTimeoutSeconds` or `timeoutSeconds` counts.",
  },
  "preview-outputs": {
    topic: "Outputs in a preview",
    dynamic: "While a resource is created or changed, every output that is not an input is unknown.",
    plugin: "Shows the outputs that are certain.",
  },
  "changed-names": {
    topic: "What a diff names",
    dynamic:
      "Pulumi compares inputs. If a change does not show there (another resource deleted the variable, or its name begins with `__`), the update names nothing.",
    plugin: "Every changed variable, repository and input, by its path.",
  },
  "preview-checks": {
    topic: "What a preview checks",
    dynamic: "One resource after the other, for 2 s at most. The preview says how many it checked.",
    plugin: "All resources, several at a time.",
  },
  unfinished: {
    topic: "A refresh after an update that failed",
    dynamic:
      "No message. State keeps the inputs from before the update, because Pulumi would not encrypt new secrets among those that a refresh reports. " +
      "Until an `up` finishes the update, previews and `ignoreChanges` use these, and a refresh shows an update that names nothing.",
    plugin:
      "Warns that a build was not seen to succeed. State gets the service's inputs, and a diff names what is missing.",
  },
  progress: {
    topic: "Messages and progress",
    dynamic: "On the row of the stack.",
    plugin: "On the row of the resource.",
  },
  "visible-secret": {
    topic: "A Pulumi secret as a visible value",
    dynamic: "Warns.",
    plugin: "Warns. Of the value of a visible `EnvVar` only when the program is in TypeScript.",
  },
  "plain-token": {
    topic: "A token that is set without `--secret`",
    dynamic: "The TypeScript classes warn. Stack config and the state of the default provider have it as plain text.",
    plugin: "The TypeScript classes warn. The state of the provider has it as a secret.",
  },
  "wrong-settings": {
    topic: "Missing or wrong settings",
    dynamic: "The preview shows an error for each resource.",
    plugin: "The preview shows one error, of the provider.",
  },
  functions: {
    topic: "Functions",
    dynamic: "Run in the program's own process.",
    plugin: "Run in the plugin, with the settings of the provider.",
  },
  "error-codes": {
    topic: "How a failure counts for Pulumi",
    dynamic: "As UNKNOWN: Pulumi says that state may be wrong (`maybeCorrupt` in `--json`).",
    plugin: "As FAILED_PRECONDITION: state is correct.",
  },
  "other-state": {
    topic: "State that the other one wrote",
    dynamic: "One update of each resource puts the line that loads the code into state. It sends nothing.",
    plugin: "Uses it unchanged.",
  },
} as const satisfies Readonly<Record<string, Difference>>;

/** Names a row. */
export type DifferenceId = keyof typeof differences;
