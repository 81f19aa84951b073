#!/usr/bin/env bash
# Publishes the npm package, unless this version is there. A release candidate gets the tag `next`, so that nobody installs it unasked.
set -euo pipefail

for file in dist/release/npm/*.tgz; do
  package="$(tar -xzOf "$file" package/package.json | node -p 'const { name, version } = JSON.parse(fs.readFileSync(0)); `${name}@${version}`')"
  if npm view "$package" version > /dev/null 2>&1; then continue; fi
  tag=latest
  if [[ "$package" == *-rc.* ]]; then tag=next; fi
  npm publish "./$file" --access public --tag "$tag"
done
