/**
 * Where Pulumi keeps its state, as a report may show it: no name, password or query, in which a token may be. An address that
 * cannot be taken apart for sure is only its scheme.
 */
export function shownBackend(address: string): string {
  const [scheme = "", rest] = address.split("://", 2);
  if (rest === undefined) return "unknown";
  // A path of this machine: `file://~` and `file://C:\state` are no addresses of the web.
  if (scheme === "file") return address;
  if (!URL.canParse(address)) return `${scheme}://`;
  const { protocol, host, pathname, username } = new URL(address);
  // A password with a `/`, `?` or `#` in it would be taken for the host and what follows.
  if (username === "" && address.includes("@")) return `${scheme}://`;
  return `${protocol}//${host}${pathname}`;
}
