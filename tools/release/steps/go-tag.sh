#!/usr/bin/env bash
# Tags the Go module, which lies in a folder: its versions are the tags `sdk/go/vX.Y.Z`.
set -euo pipefail

if gh api "repos/$GH_REPO/git/ref/tags/sdk/go/$TAG" > /dev/null 2>&1; then exit 0; fi
gh api "repos/$GH_REPO/git/refs" --field "ref=refs/tags/sdk/go/$TAG" --field "sha=$COMMIT"
