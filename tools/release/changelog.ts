import { isVersion, releaseOf } from "./versions";

const UNRELEASED = /^## Unreleased\n(?<text>.*?)(?=^## |$(?![\s\S]))/msu;
const RELEASED = /^## (\d\S*) - (\d{4}-\d{2}-\d{2})$/gmu;

/** The versions that a changelog has, in its order: the newest first. */
export function releasedVersions(changelog: string): readonly string[] {
  return [...changelog.matchAll(RELEASED)].map(([, version = ""]) => version).filter((version) => isVersion(version));
}

/** What a changelog says of the next version. Undefined when it lacks the section. */
export function unreleased(changelog: string): string | undefined {
  return UNRELEASED.exec(changelog)?.groups?.["text"]?.trim();
}

/** The notes of a release: its section. A candidate has those of the release that it comes before, or what is unreleased. */
export function notesOf(changelog: string, version: string): string | undefined {
  const section = sectionOf(changelog, releaseOf(version));
  return section ?? (version === releaseOf(version) ? undefined : unreleased(changelog));
}

function sectionOf(changelog: string, version: string): string | undefined {
  const [, after] = changelog.split(new RegExp(`^## ${version.replaceAll(".", "\\.")} - .*\\n`, "mu"));
  return after?.split(/^## /mu)[0]?.trim();
}

/**
 * The changelog with everything that is unreleased under a version and its date, and an empty section above. With the date alone when the version
 * has its section. A candidate changes nothing.
 */
export function withRelease(changelog: string, version: string, date: string): string {
  if (version !== releaseOf(version)) return changelog;
  if (sectionOf(changelog, version) !== undefined)
    return changelog.replace(
      new RegExp(`^## ${version.replaceAll(".", "\\.")} - .*$`, "mu"),
      `## ${version} - ${date}`,
    );
  return changelog.replace(/^## Unreleased\n/mu, `## Unreleased\n\n## ${version} - ${date}\n`);
}
