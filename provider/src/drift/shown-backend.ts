/** Go's error about an address that it cannot take apart. It also tells the part that is wrong, which may be one of a password. */
const NOT_VALID = /\bparse "([a-z][a-z\d+.-]*:\/\/)(?:[^"\\\n]|\\.)*": .*/giu;
/** An address in an error of the CLI: in quotes, in which it may have spaces, or up to the next space. */
const ADDRESS = /(?<=")[a-z][a-z\d+.-]*:\/\/(?:[^"\\\n]|\\.)*(?=")|\b[a-z][a-z\d+.-]*:\/\/\S+?(?=:?(?:\s|$))/giu;
/** A link, such as one to these docs, or a service's address: it is shown as it is. */
const PLAIN_LINK = /^https?:\/\/[^?@]*$/u;

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

/** An error of the CLI without the credentials of addresses in it. The CLI may have the backend's from its environment, a file or a login. */
export function withoutCredentials(error: string): string {
  return error
    .replaceAll(NOT_VALID, 'parse "$1": the address is not valid')
    .replaceAll(ADDRESS, (address) => (PLAIN_LINK.test(address) ? address : shownBackend(address)));
}
