import type { Language } from "../../../provider/src/adopt/usage";

/** Whether the value is taken over that has this key in the stack's config. */
type Which = (key: string) => boolean;

/** A program after somebody has done what its comment says, for some of the secrets. */
export function takenOver(language: Language, program: string, which: Which = () => true): string {
  return language === "yaml" ? inYaml(program, which) : inTypeScript(program, which);
}

function inTypeScript(program: string, which: Which): string {
  const above = Array.from(program.matchAll(/^ {2}\/\/ {4}(.*)$/gmu), ([, line = ""]) => line);
  const declared = program.replaceAll(
    /previewenv\.existing\(\), \/\/ (config\.requireSecret\("(\w+)"\))$/gmu,
    (line, call: string, key: string) => (which(key) ? `${call},` : line),
  );
  return [...above, declared].join("\n");
}

function inYaml(program: string, which: Which): string {
  return program
    .replace(/^# (config:)$/mu, "$1")
    .replaceAll(/^# ( {2}"?(\w+)"?: \{.*)$/gmu, (line, entry: string, key: string) => (which(key) ? entry : line))
    .replaceAll(/previewenv:existing:v1 # (\$\{(\w+)\})$/gmu, (line, reference: string, key: string) =>
      which(key) ? reference : line,
    );
}
