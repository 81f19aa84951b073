const PREFIX = "error: ";
const NO_CLI = /ENOENT: pulumi\b/u;

/** What to tell the user of an error: the CLI's own words, when it failed before the engine sent events. */
export function explain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (NO_CLI.test(text)) return "Could not start the Pulumi CLI: put `pulumi` on PATH.";
  const lines = text.split("\n").filter((line) => line.startsWith(PREFIX));
  const own = [...new Set(lines.map((line) => line.slice(PREFIX.length)))];
  return own.length > 0 ? own.join("\n") : text.trim();
}
