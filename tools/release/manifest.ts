import { derivedFrom, type Identity } from "./owner";

/** What package.json of an npm package says about its owner. npm takes a package with provenance only when `repository` is where it was built. */
export function ownerFields(names: Identity) {
  const { repositoryUrl } = derivedFrom(names);
  return {
    homepage: names.homepage,
    bugs: { url: `${repositoryUrl}/issues` },
    author: names.publisher,
    repository: { type: "git", url: `git+${repositoryUrl}.git` },
  } as const;
}
