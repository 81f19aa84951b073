#!/usr/bin/env bash
# Publishes the package for .NET, unless this version is there.
set -euo pipefail

dotnet nuget push "dist/nuget/*.nupkg" --api-key "$NUGET_API_KEY" --skip-duplicate --source "$NUGET_SOURCE"
