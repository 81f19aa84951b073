import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { releaseOf } from "../../../tools/release/versions";
import type { Step } from "./steps";

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
