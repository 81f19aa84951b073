import { literal, packageNames } from "./owned-names";
import { identity } from "./owner";

/** Three numbers, and for a release candidate a fourth: 0.2.0, 0.2.0-rc.1. */
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-rc\.([1-9]\d*))?$/u;

/** Whether a text is a version that can be released. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** The release that a release candidate comes before. A release is its own. */
export function releaseOf(version: string): string {
  return version.replace(/-rc\..*$/u, "");
}

/** Negative when the first version is older than the other, positive when newer, 0 when they are the same. A candidate is older than its release. */
export function compareVersions(one: string, other: string): number {
  const numbers = (version: string): readonly number[] =>
    (VERSION.exec(version) ?? []).slice(1).map((part) => Number(part ?? Number.MAX_SAFE_INTEGER));
  const [first, second] = [numbers(one), numbers(other)];
  const different = [0, 1, 2, 3].find((part) => first[part] !== second[part]);
  return different === undefined ? 0 : (first[different] ?? 0) - (second[different] ?? 0);
}

/** Pages and examples may say the version. The release writes it there. */
const PAGES = /^(?:README\.md|CONTRIBUTING\.md|SECURITY\.md|action\.yml|docs\/.*|examples\/.*|\.github\/.*)$/u;
/** These tell of versions as they were: they are never changed. */
const HISTORY = /^docs\/(?:decisions\/.*|guides\/upgrade\.md)$/u;

/** Whether the release writes the version into a file that somebody wrote. */
export function isVersioned(file: string): boolean {
  return PAGES.test(file) && !HISTORY.test(file);
}

const NAMES = [...packageNames(identity), identity.githubRepository].map(literal).join("|");

/** What stands in front of a version of this project, and of no other. */
const BEFORE = [
  /previewenv(?:-v?|@v|:| v?)/u,
  new RegExp(`(?:${NAMES})(?:-v?|@v?\\^?| v?|==|~=|:|": "\\^?)`, "u"),
  /\/sdk\/go(?:\/previewenv)?[ @]v/u,
  /<artifactId>previewenv<\/artifactId>\s*<version>/u,
  new RegExp(`Include="${identity.nugetPackage}" Version="`, "u"),
  // A release of this project on GitHub, and the version that a program in YAML asks for beside the server of the plugin.
  /\/releases\/(?:download|tag)\/v/u,
  /previewenv[^\n]*\n\s+version: /u,
];
const PLACE = new RegExp(
  `(?<=${BEFORE.map(({ source }) => `(?:${source})`).join("|")})\\d+\\.\\d+\\.\\d+(?:-rc\\.\\d+)?(?![\\w.]*\\d)`,
  "gu",
);

/** Every version of this project that a text names. */
export function versionsIn(text: string): readonly string[] {
  return [...text.matchAll(PLACE)].map(([version]) => version);
}

/** A text with another version of this project. */
export function withVersion(text: string, version: string): string {
  return text.replaceAll(PLACE, version);
}
