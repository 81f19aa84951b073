#!/usr/bin/env bash
# Packs what the registries of npm and Python get, and writes the notes of the release. `npm run package` makes the plugin's archives.
set -euo pipefail

rm -rf dist/release
mkdir -p dist/release/npm
npm pack --pack-destination dist/release/npm
venv="$(mktemp -d)"
trap 'rm -rf "$venv"' EXIT
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet build==1.6.1
"$venv/bin/python" -m build sdk/python --outdir dist/release/python
npm run --silent release:notes > dist/release/notes.md
