#!/usr/bin/env bash
# Builds, signs and uploads the package for Java, then waits until the portal of Maven Central says that it is published, or why not.
set -euo pipefail

for name in PORTAL_URL MAVEN_USERNAME MAVEN_PASSWORD MAVEN_GPG_KEY MAVEN_GPG_PASSPHRASE; do
  if [ -z "${!name:-}" ]; then
    echo "$name is empty. RELEASING.md says what to set." >&2
    exit 1
  fi
done
group="$(node -p 'require("./tools/release/identity.json").mavenGroup')"
version="$(node -p 'require("./package.json").version')"
# The header goes through a pipe, so that no list of processes shows it.
found="$(printf 'header = "Authorization: Bearer %s"' "$(printf '%s:%s' "$MAVEN_USERNAME" "$MAVEN_PASSWORD" | base64 --wrap=0)" |
  curl --silent --show-error --fail --config - "$PORTAL_URL/api/v1/publisher/published?namespace=$group&name=previewenv&version=$version")"
if [[ "$found" == *'"published":true'* ]]; then exit 0; fi
mvn --batch-mode --file sdk/java/pom.xml --settings tools/release/steps/maven-settings.xml -Prelease -Dmaven.install.skip=true clean deploy
