import { valid } from "semver";
import { identity } from "./owner";

/** Whether a text is a version that can be released: three numbers, and for a release candidate a fourth, as in 0.2.0-rc.1. */
export function isVersion(text: string): boolean {
  return valid(text) === text && /^[\d.]+(?:-rc\.[1-9]\d*)?$/u.test(text);
}

/** The release that a release candidate comes before. A release is its own. */
export function releaseOf(version: string): string {
  return version.replace(/-rc\..*$/u, "");
}

/** A pattern that matches a text, and nothing else. */
export function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
}

/** Pages, examples and the package for Java may say the version. The release writes it there. */
const PAGES =
  /^(?:README\.md|CONTRIBUTING\.md|RELEASING\.md|SECURITY\.md|action\.yml|docs\/.*|examples\/.*|sdk\/java\/.*|\.github\/.*)$/u;
/** These tell of versions as they were: they are never changed. */
const HISTORY = /^docs\/(?:decisions\/.*|guides\/upgrade\.md)$/u;

/** Whether the release writes the version into a file that somebody wrote. */
export function isVersioned(file: string): boolean {
  return PAGES.test(file) && !HISTORY.test(file);
}

const { npmPackage, pythonPackage, githubRepository } = identity;
const NAMES = ["previewenv", npmPackage, pythonPackage, githubRepository].map(literal).join("|");

/** The texts in front of a version of this project: one of its names, in the same line, or for Maven in the line before. */
const BEFORE = `(?<=(?:${NAMES}).*(?:\\n\\s*<version>)?)(?<![\\d.])`;

/** A text with another version of this project. */
export function withVersion(text: string, from: string, to: string): string {
  return text.replaceAll(new RegExp(`${BEFORE}${literal(from)}(?!-rc|\\.?\\d)`, "giu"), to);
}
