/** What the two hosts cannot do alike, in sentences for the reference: what the dynamic provider does, and why it cannot do more. The
 * tests hold each row to both hosts; whatever is not here, the hosts do alike. */
export const differences = [
  {
    id: "import",
    topic: "Import",
    dynamic:
      "Not possible: the engine makes a dynamic provider from the provider text in state, and an import has no state.",
    native: "`pulumi import` and the resource option `import`, with the ids that each resource names.",
  },
  {
    id: "cancel",
    topic: "Ctrl-C",
    dynamic:
      "The engine does not tell the provider. After the first Ctrl-C, the step continues to its end. A second Ctrl-C ends it, and the next `pulumi up` finishes what is missing.",
    native:
      "Ends waits and requests within a second. State contains what was done and what may have been done: the next `pulumi up` finishes it, or `pulumi destroy` deletes it.",
  },
  {
    id: "custom-timeouts",
    topic: "`customTimeouts`",
    dynamic: "No effect. Only `buildTimeoutSeconds` and `timeoutSeconds` limit a wait.",
    native: "Limits the whole step, in addition to `buildTimeoutSeconds` or `timeoutSeconds`: the shorter time counts.",
  },
  {
    id: "preview-outputs",
    topic: "Outputs in a preview",
    dynamic: "Each output that is not an input is unknown while its resource is created or changed.",
    native: "Outputs that are certain are shown; only the others are unknown.",
  },
  {
    id: "changed-names",
    topic: "What a diff names",
    dynamic:
      "Changes that a comparison of inputs does not show (a write that failed before, a name that begins with `__`) cause an update that names nothing.",
    native: "Every changed variable, repository and input, by its path.",
  },
  {
    id: "preview-checks",
    topic: "What a preview checks",
    dynamic:
      "One resource after the other, for 2 s at most in a preview. Then one line says how many were checked. It may warn of a name that a later resource of the program gives up.",
    native:
      "Several resources at once, without a limit. It does not warn of a name that another resource of the program gives up.",
  },
  {
    id: "unfinished",
    topic: "A refresh after a write that failed in part",
    dynamic: "No message; the next `pulumi up` still finds what is missing.",
    native: "Warns that the resource is not as declared, and says why.",
  },
  {
    id: "progress",
    topic: "Messages and progress",
    dynamic: "On the row of the stack.",
    native: "On the row of the resource.",
  },
  {
    id: "declared-twice",
    topic:
      "The same variable, or the branches of one environment, declared by two resources; an environment that one resource starts and another stops",
    dynamic:
      "Refused by the TypeScript classes, once the values are known. They do not see what `ignoreChanges` keeps in state: then each resource overwrites the other.",
    native:
      "Refused by the plugin in a preview, in every language, also when `ignoreChanges` keeps a value. The TypeScript classes refuse it too.",
  },
  {
    id: "visible-secret",
    topic: "A Pulumi secret as a value that the service shows",
    dynamic: "The TypeScript classes warn.",
    native: "The plugin warns, in every language. For a visible `EnvVar`, the TypeScript classes warn instead.",
  },
  {
    id: "plain-token",
    topic: "A token that is set without `--secret`",
    dynamic:
      "The TypeScript classes warn. Stack config contains it as plain text, and so does the state of the default provider.",
    native: "The TypeScript classes warn; other languages do not. The state of the provider has it as a secret.",
  },
  {
    id: "wrong-settings",
    topic: "Missing or wrong settings",
    dynamic: "An error of each resource, in the preview.",
    native: "One error of the provider, in the preview.",
  },
  {
    id: "functions",
    topic: "Functions",
    dynamic: "Run in the program's own process.",
    native: "Run in the plugin, as invokes, with the settings of the provider.",
  },
  {
    id: "error-codes",
    topic: "The code of a failure for the engine",
    dynamic: "UNKNOWN. The engine then takes state for possibly corrupt, and `--json` says so (`maybeCorrupt`).",
    native: "FAILED_PRECONDITION: state is as it says.",
  },
  {
    id: "other-state",
    topic: "State that the other host wrote",
    dynamic: "One update of each resource adds the provider text to state and sends nothing.",
    native: "Used as it is.",
  },
] as const;

/** Names a row. */
export type DifferenceId = (typeof differences)[number]["id"];
