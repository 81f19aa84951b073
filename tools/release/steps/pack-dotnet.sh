#!/usr/bin/env bash
# Compiles and packs the SDK for .NET, and compiles the examples of the reference.
set -euo pipefail

dotnet pack sdk/dotnet --configuration Release --output dist/nuget
for program in examples/snippets/*/Program.cs; do
  dotnet build tests/schema/csharp/example.csproj -p:Program="$PWD/$program"
done
