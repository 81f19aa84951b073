#!/usr/bin/env bash
# Makes the release on GitHub: a draft, its files, and only then the release. Nothing is written to a release that is published.
set -euo pipefail

(cd dist/packages && sha256sum --check --strict --quiet checksums.txt)
is_draft="$(gh release view "$TAG" --json isDraft --jq .isDraft 2> /dev/null || true)"
if [ "$is_draft" = false ]; then
  echo "$TAG is published."
  exit 0
fi
# What a run that failed has left.
if [ "$is_draft" = true ]; then gh release delete "$TAG" --yes; fi
kind=()
if [[ "$TAG" == *-* ]]; then kind=(--prerelease --latest=false); fi
gh release create "$TAG" --draft --verify-tag --title "$TAG" --notes-file dist/release/notes.md "${kind[@]}"
gh release upload "$TAG" dist/packages/*
gh release edit "$TAG" --draft=false "${kind[@]}"
