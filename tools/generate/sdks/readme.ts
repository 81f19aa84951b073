import manifest from "../../../package.json";
import { identity } from "../../release/owner";
import { snippetsOf } from "../snippets";
import type { Language } from "./generator";

interface Words {
  /** As people call the language. */
  readonly title: string;
  /** How the package manager gets the package. */
  readonly install: string;
  readonly shell: string;
}

const { mavenGroup, nugetPackage, pythonPackage, goModule, repositoryUrl } = identity;
const [MAVEN_ARTIFACT, { version }] = ["previewenv", manifest];

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
export function readme(name: Language["name"]): string {
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
