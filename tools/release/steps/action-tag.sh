#!/usr/bin/env bash
# Moves the tag of the minor version, such as v0.1, to this release: workflows name the action by it.
set -euo pipefail

if [[ "$TAG" == *-* ]]; then exit 0; fi
minor="${TAG%.*}"
if gh api "repos/$GH_REPO/git/ref/tags/$minor" > /dev/null 2>&1; then
  gh api --method PATCH "repos/$GH_REPO/git/refs/tags/$minor" --field "sha=$COMMIT" --field force=true
else
  gh api "repos/$GH_REPO/git/refs" --field "ref=refs/tags/$minor" --field "sha=$COMMIT"
fi
