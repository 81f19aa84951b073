/** The rows of docs/guides/hosts.md, "How the hosts differ": each with its first cell. */
export const differences = {
  import: "Import",
  cancel: "Ctrl-C",
  "custom-timeouts": "`customTimeouts`",
  "preview-outputs": "Outputs in a preview",
  "changed-names": "What a diff names",
  "preview-checks": "What a preview checks",
  unfinished: "A refresh after an update that failed",
  progress: "Messages and progress",
  "visible-secret": "A Pulumi secret as a value that the service shows",
  "plain-token": "A token that is set without `--secret`",
  "wrong-settings": "Missing or wrong settings",
  functions: "Functions",
  "error-codes": "The code of a failure for the engine",
  "other-state": "State that the other host wrote",
} as const;

/** Names a row. */
export type DifferenceId = keyof typeof differences;
