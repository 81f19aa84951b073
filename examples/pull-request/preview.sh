#!/usr/bin/env bash
# What CI does for the pull request of number $PULL_REQUEST; one stack each.
#   ./preview.sh up     it was opened, or has new commits
#   ./preview.sh down   it was closed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
stack="pr-${PULL_REQUEST:?must be the number of the pull request}"

case "${1:-}" in
up)
  pulumi stack select --create "$stack"
  pulumi up --yes --refresh --stack "$stack"
  ;;
down)
  # Succeeds, too, when the environment is already deleted (the program is not run, what is gone needs no request),
  # and when there is no such stack (any more).
  pulumi stack select --create "$stack"
  pulumi destroy --yes --stack "$stack"
  pulumi stack rm --yes "$stack"
  ;;
*)
  echo "usage: $0 up|down" >&2
  exit 2
  ;;
esac
