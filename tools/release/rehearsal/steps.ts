/** A command of the release workflow that the rehearsal calls, too. */
export interface Step {
  readonly run: string;
  /** The action of the workflow that the command stands for. */
  readonly uses?: string;
  /** A program without which the step is skipped, with a line. */
  readonly needs?: string;
  /** The language whose quickstart it runs. */
  readonly language?: string;
}

const FOLDER = "tools/release/steps";

function verify(language: string, needs?: string): Step {
  return { run: `${FOLDER}/verify.sh`, language, ...(needs !== undefined && { needs }) };
}

/** What builds, publishes and installs, in the order of the workflow. */
export const steps: readonly Step[] = [
  { run: "npm run package" },
  { run: `${FOLDER}/pack.sh` },
  { run: `${FOLDER}/pack-dotnet.sh`, needs: "dotnet" },
  { run: `${FOLDER}/github.sh` },
  { run: `${FOLDER}/go-tag.sh` },
  { run: `${FOLDER}/npm.sh` },
  { run: "twine upload --repository-url $PYPI_URL dist/release/python/*", uses: "pypa/gh-action-pypi-publish" },
  { run: `${FOLDER}/nuget.sh`, needs: "dotnet" },
  { run: `${FOLDER}/maven.sh` },
  verify("typescript"),
  verify("native"),
  verify("yaml", "pulumi-language-yaml"),
  verify("go", "pulumi-language-go"),
  verify("python", "pulumi-language-python"),
  verify("dotnet", "dotnet"),
  verify("java", "pulumi-language-java"),
  { run: `${FOLDER}/action-tag.sh` },
];

/** What the workflow runs beside them: the checks of the sources, which need no registry. */
export const checks: readonly string[] = [
  "npm ci",
  "npm run release:publishable",
  "npm test",
  "npm run test:contract -- --all",
  "npm run test:outside",
  "npm run check:audit",
  "npm run release:smoke -- linked",
];

/** What only the real registries can tell. */
export const notTried: readonly string[] = [
  "the identity of the workflow (OIDC): trusted publishing on npm, PyPI and NuGet, and provenance on npm",
  "attestations of the archives and packages",
  "Maven Central's own validation: the namespace, and the published signing key",
  "the login of NuGet",
  "rules for tags, reviewers of environments, and who approves a staged package",
];
