import { literal, releaseOf } from "./versions";

/** The text of a section of a changelog: "Unreleased", or a version. `undefined` when there is none. */
export function sectionOf(changelog: string, title: string): string | undefined {
  const [, after] = changelog.split(new RegExp(`^## ${literal(title)}(?: - .*)?\\n`, "mu"));
  return after?.split(/^## /mu)[0]?.trim();
}

/** The notes of a release: its section. A candidate has those of the release that it comes before, or what is unreleased. */
export function notesOf(changelog: string, version: string): string | undefined {
  const notes = sectionOf(changelog, releaseOf(version));
  return notes ?? (version === releaseOf(version) ? undefined : sectionOf(changelog, "Unreleased"));
}

/**
 * The changelog with everything that is unreleased under a version and its date, and an empty section above. With the date alone when the version
 * has its section. A candidate changes nothing.
 */
export function withRelease(changelog: string, version: string, date: string): string {
  if (version !== releaseOf(version)) return changelog;
  const title = `## ${version} - ${date}`;
  if (sectionOf(changelog, version) === undefined)
    return changelog.replace(/^## Unreleased\n/mu, `## Unreleased\n\n${title}\n`);
  return changelog.replace(new RegExp(`^## ${literal(version)} - .*$`, "mu"), title);
}
