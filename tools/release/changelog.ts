import { isVersion } from "./versions";

const UNRELEASED = /^## Unreleased\n(?<text>.*?)(?=^## |$(?![\s\S]))/msu;
const RELEASED = /^## (\d\S*) - (\d{4}-\d{2}-\d{2})$/gmu;

/** The versions that a changelog has, in its order: the newest first. */
export function releasedVersions(changelog: string): readonly string[] {
  return [...changelog.matchAll(RELEASED)].map(([, version = ""]) => version).filter((version) => isVersion(version));
}

/** What a changelog says of the next version; undefined when it lacks the section. */
export function unreleased(changelog: string): string | undefined {
  return UNRELEASED.exec(changelog)?.groups?.["text"]?.trim();
}

/** The section of a version, for the notes of its release; undefined when there is none. */
export function notesOf(changelog: string, version: string): string | undefined {
  const [, after] = changelog.split(new RegExp(`^## ${version.replaceAll(".", "\\.")} - .*\\n`, "mu"));
  return after?.split(/^## /mu)[0]?.trim();
}

/** The changelog with everything that is unreleased under a version and its date, and an empty section above. */
export function withRelease(changelog: string, version: string, date: string): string {
  return changelog.replace(/^## Unreleased\n/mu, `## Unreleased\n\n## ${version} - ${date}\n`);
}
