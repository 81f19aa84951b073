/** An address that may stand in a link: of the web, and without a character that would end the link. */
export function webAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, username, password, href } = new URL(url);
  if (!["http:", "https:"].includes(protocol) || username !== "" || password !== "") return undefined;
  return href.replaceAll(/[^\w\-./:?#&=%~+,;@!$*]/gu, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
