import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { version } from "../../../package.json";
import { releaseOf } from "../../../tools/release/versions";

const WORKFLOW = join(__dirname, "..", "..", "..", ".github", "workflows", "release.yml");
const Job = z.looseObject({
  steps: z.array(z.looseObject({ run: z.string().optional(), uses: z.string().optional() })).default([]),
  /** Of a job that is verify.yml. */
  with: z.looseObject({ languages: z.string() }).optional(),
});
const Workflow = z.looseObject({ jobs: z.record(z.string(), Job) });

/** A command of the release workflow that the rehearsal calls, too. */
export interface Step {
  readonly run: string;
  /** The language whose quickstart it runs. */
  readonly language?: string;
}

/** What the workflow does beside them: the checks of the sources, which need no registry. */
const CHECK = /^npm (?:ci|test|run (?!package$))/u;

/** Stands in for an action of PyPI: checks the packages as it does, and puts them where pip looks. */
const PYPI_ACTION = "pypa/gh-action-pypi-publish@";
const TO_PYPI = '"$TWINE" check --strict dist/release/python/* && cp dist/release/python/* "$PIP_FIND_LINKS"';

/** What builds, publishes and installs, in the order of the workflow. */
export function workflowSteps(): readonly Step[] {
  const { jobs } = Workflow.parse(parse(readFileSync(WORKFLOW, "utf8")));
  return Object.values(jobs).flatMap((job): readonly Step[] => {
    const languages = z.array(z.string()).parse(JSON.parse(job.with?.languages ?? "[]"));
    const commands = job.steps.map(({ run, uses }) => (uses?.startsWith(PYPI_ACTION) === true ? TO_PYPI : run));
    return [
      ...commands.flatMap((run) => (run === undefined || CHECK.test(run) ? [] : [{ run }])),
      ...languages.map((language) => ({ run: "tools/release/steps/verify.sh", language })),
    ];
  });
}

/** A program without which a step is skipped, with a line. */
export function neededBy({ run, language = "" }: Step): string | undefined {
  if (/dotnet|nuget/u.test(`${run} ${language}`)) return "dotnet";
  return ["yaml", "go", "python", "java"].includes(language) ? `pulumi-language-${language}` : undefined;
}

/** What only the real registries can tell. */
export const notTried: readonly string[] = [
  "the identity of the workflow (OIDC): trusted publishing on npm, PyPI and NuGet, and provenance on npm",
  "attestations of the archives and packages",
  "Maven Central's own validation: the namespace, and the published signing key",
  "the login of NuGet",
  "rules for tags, reviewers of environments, and who approves a staged package",
];

const PAGE = join(__dirname, "..", "..", "..", "docs", "_index.md");
const TAB = /choosable language (?<language>\w+) %\}\}\n\n<!-- not run: [^\n]+ -->\n```\w+\n(?<text>.+?)\n```/gsu;

/** What people need before they run the command of a language in an empty folder. Java has no command. */
const before: Readonly<Record<string, string>> = {
  typescript: "true",
  python: "python3 -m venv venv && . venv/bin/activate",
  go: "go mod init probe",
  csharp: "dotnet new console",
  yaml: 'export PULUMI_HOME="$PWD"',
};

/** How the page in Pulumi's registry says that the package is installed, by language. */
export function installCommands(): readonly (readonly [language: string, command: string])[] {
  return Array.from(readFileSync(PAGE, "utf8").matchAll(TAB), ({ groups }) => [
    groups?.["language"] ?? "",
    groups?.["text"] ?? "",
  ]);
}

/** Each of them in an empty folder. None for a candidate: people who do not ask for one get the newest release. */
export function installSteps(): readonly Step[] {
  if (version !== releaseOf(version)) return [];
  return installCommands().flatMap(([language, command]) => {
    const first = before[language];
    return first === undefined ? [] : [{ run: `cd "$(mktemp -d)" && ${first} && ${command}` }];
  });
}
