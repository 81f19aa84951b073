const PREFIX = "error: ";

/** What the CLI says to the user when it fails before the engine sends events: the errors in its standard error, each once. */
export function explain(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.startsWith(PREFIX));
  const own = [...new Set(lines.map((line) => line.slice(PREFIX.length)))];
  return own.length > 0
    ? own.join("\n")
    : stderr.trim() ||
        "The Pulumi CLI failed without an error message. Run `pulumi preview` in the project's folder to see more.";
}
