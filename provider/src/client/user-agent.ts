import { PACKAGE_NAME, packageVersion } from "../installation/package-version";

/** The value of the User-Agent header: the package's name and version. A scope (`@owner/`) is no part of it: the header allows neither character. */
export function userAgent(): string {
  return `${PACKAGE_NAME.replace(/^@[^/]+\//u, "")}/${packageVersion()}`;
}
