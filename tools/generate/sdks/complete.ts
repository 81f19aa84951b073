import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import manifest from "../../../package.json";
import { identity } from "../../release/owner";
import type { Language } from "./generator";
import { readme } from "./readme";

/** Adds to a generated SDK what makes it a package that people find and may use: a page for its registry, and the licence. */
export function complete(folder: string, name: Language["name"]): void {
  writeFileSync(path.join(folder, "README.md"), readme(name));
  if (name === "python") completePython(folder);
  if (name === "dotnet") writeFileSync(path.join(folder, "Directory.Build.props"), DOTNET);
}

/** The generator puts the page where setuptools does not look, and writes the licence in a form that setuptools stops to take in 2027. */
function completePython(folder: string): void {
  rmSync(path.join(folder, identity.pythonPackage, "README.md"));
  cpSync("LICENSE", path.join(folder, "LICENSE"));
  const file = path.join(folder, "pyproject.toml");
  const before = readFileSync(file, "utf8");
  const changes = [
    [`  [project.license]\n    text = "${manifest.license}"\n`, ""],
    [
      `  readme = "README.md"\n`,
      `  license = "${manifest.license}"\n  license-files = ["LICENSE"]\n  readme = "README.md"\n`,
    ],
    [`requires = ["setuptools>=61.0"]`, `requires = ["setuptools>=77.0.3"]`],
  ] as const;
  const after = changes.reduce((now, [old, changed]) => {
    if (!now.includes(old))
      throw new Error(`pyproject.toml has no ${old} any more: see tools/generate/sdks/complete.ts`);
    return now.replace(old, changed);
  }, before);
  writeFileSync(file, after);
}

/** MSBuild reads it before the project's file, which lacks the page and the words for a search. */
const DOTNET = `<Project>
  <PropertyGroup>
    <PackageReadmeFile>README.md</PackageReadmeFile>
    <PackageTags>${["pulumi", ...manifest.keywords.filter((word) => word !== "pulumi")].join(";")}</PackageTags>
  </PropertyGroup>
  <ItemGroup>
    <None Include="README.md" Pack="true" PackagePath="/" />
  </ItemGroup>
</Project>
`;
