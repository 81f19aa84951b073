import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import manifest from "../../../package.json";
import { identity } from "../../release/owner";
import { snippetsOf } from "../snippets";
import type { Language } from "./generator";
import { MAVEN_ARTIFACT, writeMavenProject } from "./maven";

/** Adds to a generated SDK what makes it a package that people find and may use: a page for its registry, and the licence. */
export function complete(folder: string, name: Language["name"]): void {
  writeFileSync(path.join(folder, "README.md"), readme(name));
  if (name === "python") {
    // The generator puts the page where setuptools does not look, and writes the licence in a form that setuptools stops to take in 2027.
    rmSync(path.join(folder, identity.pythonPackage, "README.md"));
    cpSync("LICENSE", path.join(folder, "LICENSE"));
    replaceIn(path.join(folder, "pyproject.toml"), PYTHON);
  }
  if (name === "dotnet") writeFileSync(path.join(folder, "Directory.Build.props"), DOTNET);
  if (name === "java") writeMavenProject(folder);
}

type Replacements = readonly (readonly [old: string, changed: string])[];

const PYTHON: Replacements = [
  [`  [project.license]\n    text = "${manifest.license}"\n`, ""],
  [
    `  readme = "README.md"\n`,
    `  license = "${manifest.license}"\n  license-files = ["LICENSE"]\n  readme = "README.md"\n`,
  ],
  [`requires = ["setuptools>=61.0"]`, `requires = ["setuptools>=77.0.3"]`],
];

/** @throws Error when the generator writes something else than it did */
function replaceIn(file: string, replacements: Replacements): void {
  let text = readFileSync(file, "utf8");
  for (const [old, changed] of replacements) {
    if (!text.includes(old)) throw new Error(`${file} has no ${old} any more: see tools/generate/sdks/complete.ts`);
    text = text.replace(old, changed);
  }
  writeFileSync(file, text);
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

interface Words {
  /** As people call the language. */
  readonly title: string;
  /** How the package manager gets the package. */
  readonly install: string;
  readonly shell: string;
}

const { mavenGroup, nugetPackage, pythonPackage, goModule, repositoryUrl } = identity;
const { version } = manifest;

const words: Readonly<Record<Language["name"], Words>> = {
  python: { title: "Python", install: `pip install ${pythonPackage}`, shell: "sh" },
  go: { title: "Go", install: `go get ${goModule}`, shell: "sh" },
  dotnet: { title: ".NET", install: `dotnet add package ${nugetPackage}`, shell: "sh" },
  java: {
    title: "Java",
    install: [
      "<dependency>",
      `  <groupId>${mavenGroup}</groupId>`,
      `  <artifactId>${MAVEN_ARTIFACT}</artifactId>`,
      `  <version>${version}</version>`,
      "</dependency>",
    ].join("\n"),
    shell: "xml",
  },
};

/** Languages of the snippets by the names that `gen-sdk` has for them. */
const snippetLanguage = { python: "python", go: "go", dotnet: "csharp", java: "java" } as const;

/** What a package registry shows for the SDK of a language. */
function readme(name: Language["name"]): string {
  const { title, install, shell } = words[name];
  const program = snippetsOf("EnvVarSet").find(({ language }) => language === snippetLanguage[name]);
  if (program === undefined) throw new Error(`examples/snippets has no EnvVarSet in ${title}`);
  const page = (file: string): string => `${repositoryUrl}/blob/HEAD/${file}`;
  return `# previewenv for Pulumi programs in ${title}

${manifest.description}.

\`\`\`${shell}
${install}
\`\`\`

\`\`\`${program.language}
${program.text.trim()}
\`\`\`

\`\`\`sh
pulumi config set previewenv:baseUrl https://environments.example.com
pulumi config set --secret previewenv:apiToken
pulumi config set --secret databaseUrl
pulumi up
\`\`\`

\`pulumi up\` downloads the plugin \`pulumi-resource-previewenv\` of the same version when the machine lacks it.

[What it does](${page("README.md")}), [every resource and function](${page("docs/reference.md")}), [guides](${page("docs/README.md")}),
[changes](${page("CHANGELOG.md")}), [problems](${repositoryUrl}/issues).

${manifest.license}
`;
}
