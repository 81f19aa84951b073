/** Rules for a name, before any request: it becomes a path segment of DELETE and a name in a shell. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "has an empty name";
  if (name === "." || name === "..")
    return 'must not be "." or "..", which would address another resource of the service';
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  if (/[\u0000-\u001F\u007F-\u009F]/u.test(name)) return "has a control character in its name";
  return undefined;
}
