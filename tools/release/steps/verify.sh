#!/usr/bin/env bash
# Runs the quickstart of $LANGUAGE_OF_THE_JOB with what its registry has, which may take some minutes to show it.
set -euo pipefail

for wait in ${SECONDS_TO_WAIT-60 120 240 480 960} end; do
  if npm run release:smoke -- --published "$LANGUAGE_OF_THE_JOB"; then exit 0; fi
  if [ "$wait" != end ]; then sleep "$wait"; fi
done
exit 1
