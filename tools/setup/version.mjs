/** Oldest Node that the provider and its tests run on (`engines` in package.json). */
export const OLDEST_NODE = "22.19.0";

/** Oldest Node that the set-up itself runs on. It brings a newer one for everything else. */
export const OLDEST_SETUP_NODE = "20.3.0";

/** Oldest Pulumi CLI that is taken from PATH. */
export const OLDEST_PULUMI = "3.230.0";

/** The Pulumi CLI that the set-up downloads or builds. */
export const PULUMI_VERSION = "3.259.0";

/**
 * Whether the first version in `text`, such as `v3.259.0` or `go1.26`, is `oldest` or newer. A text without a version is not.
 * @param {string} text
 * @param {string} oldest
 */
export function isAtLeast(text, oldest) {
  const [version] = /\d+\.\d+(?:\.\d+)?/.exec(text) ?? [];
  return version !== undefined && version.localeCompare(oldest, "en", { numeric: true }) >= 0;
}
