#!/usr/bin/env bash
# The commands for the pull request of number $PULL_REQUEST. Each pull request has a stack of its own, pr-N.
#   ./preview.sh up     it was opened, or has new commits on $BRANCH
#   ./preview.sh down   it was closed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
stack="pr-${PULL_REQUEST:?must be the number of the pull request}"

case "${1:-}" in
up)
  pulumi stack select --create "$stack"
  pulumi config set --stack "$stack" branch "${BRANCH:?must be the branch of the pull request}"
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
