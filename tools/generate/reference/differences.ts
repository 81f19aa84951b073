/** One thing that the dynamic provider and the plugin do differently. */
interface Difference {
  readonly topic: string;
  readonly dynamic: string;
  readonly plugin: string;
}

/** Everything that they do differently: the reference shows it, and `tests/contract/differences.spec.ts` says where both sides of each row are proven. */
export const differences = {
  import: {
    topic: "Import",
    dynamic: "Not possible. Pulumi loads a dynamic provider's code from state, and an import has no state.",
    plugin: "`pulumi import` and the option `import`, with the ids that each resource names.",
  },
  cancel: {
    topic: "Ctrl-C",
    dynamic:
      "Pulumi does not tell the provider. The first Ctrl-C lets the step finish. The second one ends it. Run the same command again.",
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
      "Every changed input. If another resource deleted the variable, or its name begins with `__`, the update names nothing.",
    plugin: "Every changed variable, repository and input, by its path.",
  },
  "preview-checks": {
    topic: "What a preview checks",
    dynamic: "One resource after the other. After 2 s, it stops and says how many it checked.",
    plugin: "All resources, several at a time.",
  },
  unfinished: {
    topic: "A refresh after an update that failed",
    dynamic:
      "No message. Until an `up` finishes the update, state, previews and `ignoreChanges` have the inputs from before it, because " +
      "Pulumi would not encrypt new secrets. A refresh shows an update that names nothing.",
    plugin:
      "Warns if it is not known that a build succeeded. State gets the service's inputs, and a diff names what is missing.",
  },
  progress: {
    topic: "Messages and progress",
    dynamic: "On the row of the stack.",
    plugin: "On the row of the resource.",
  },
  "visible-secret": {
    topic: "A Pulumi secret as a visible value",
    dynamic: "Warns.",
    plugin: "Warns. For a visible `EnvVar`, only programs in TypeScript warn.",
  },
  "plain-token": {
    topic: "A token that is set without `--secret`",
    dynamic: "The TypeScript classes warn. Stack config and the default provider's state have it as plain text.",
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
    topic: "Error code of a failure",
    dynamic: "UNKNOWN: Pulumi says that state may be wrong (`maybeCorrupt` in `--json`).",
    plugin: "FAILED_PRECONDITION: state is correct.",
  },
  "other-state": {
    topic: "State that the other one wrote",
    dynamic: "The first `up` updates each resource in state, and sends nothing.",
    plugin: "Uses it unchanged.",
  },
} as const satisfies Readonly<Record<string, Difference>>;

/** Names a row. */
export type DifferenceId = keyof typeof differences;
