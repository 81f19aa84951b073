#!/usr/bin/env bash
# The commands for the pull request $PULL_REQUEST. Each pull request has its own stack, pr-N.
#   ./preview.sh up     it was opened, or has new commits on $BRANCH
#   ./preview.sh down   it was closed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
if ! [[ "${PULL_REQUEST:-}" =~ ^[1-9][0-9]*$ ]]; then
  echo "PULL_REQUEST must be the number of the pull request" >&2
  exit 2
fi
stack="pr-$PULL_REQUEST"

case "${1:-}" in
up)
  : "${BRANCH:?must be the branch of the pull request}"
  pulumi stack select --create "$stack"
  # The author of a pull request chooses the branch name. So it is never part of a command, an option or a text that something parses.
  pulumi config set --stack "$stack" -- branch "$BRANCH"
  pulumi up --yes --refresh --stack "$stack"
  # The address of the environment, for later steps of the workflow and for the summary of its run.
  url="$(pulumi stack output --stack "$stack" url | head -n 1)"
  echo "url=$url" >> "${GITHUB_OUTPUT:-/dev/null}"
  echo "Deployed to <${url//[]<>[[:space:]]/}>" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
  ;;
down)
  # Without a stack, there is nothing to do, and no secret is needed.
  if ! said="$(pulumi stack select "$stack" 2>&1)"; then
    if [[ "$said" == *"no stack named"* ]]; then
      echo "There is no stack $stack: nothing to do."
      exit 0
    fi
    echo "$said" >&2
    exit 1
  fi
  # This also succeeds if the environment is already deleted. It does not run the program, so it needs none of its secrets.
  pulumi destroy --yes --run-program=false --stack "$stack"
  pulumi stack rm --yes "$stack"
  ;;
*)
  echo "usage: $0 up|down" >&2
  exit 2
  ;;
esac
