import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../../provider/src/sandbox";
import { FASTER } from "../engine/harness/cli";
import { plugins } from "../engine/harness/languages";
import { Project } from "../engine/harness/project";
import type { Contender } from "./contenders";

const ROOT = join(__dirname, "..", "..");
/** Users do not have it. */
const WITHOUT_FASTER = Object.fromEntries(Object.keys(FASTER).map((name) => [name, undefined]));

/** A project with the program of a contender, and an empty stack. */
export function projectOf({ name, program = name, skipCheckpoints }: Contender, service: Sandbox): Project {
  const language = {
    prepare(folder: string): void {
      const modules = join(folder, "node_modules");
      mkdirSync(join(modules, "@pulumi"), { recursive: true });
      symlinkSync(join(ROOT, "node_modules", "@pulumi", "pulumi"), join(modules, "@pulumi", "pulumi"), "junction");
      symlinkSync(ROOT, join(modules, "pulumi-previewenv"), "junction");
      copyFileSync(join(__dirname, "programs", `${program}.js`), join(folder, "index.js"));
      copyFileSync(join(__dirname, "programs", "declared.js"), join(folder, "declared.js"));
      writeFileSync(join(folder, "package.json"), JSON.stringify({ main: "index.js" }));
    },
    settings: () => ({ runtime: "nodejs", ...plugins() }),
  };
  const env = { ...WITHOUT_FASTER, LC_ALL: "C", ...(skipCheckpoints && { PULUMI_SKIP_CHECKPOINTS: "true" }) };
  return Project.create(service, { language, env });
}

/** Says what the program declares from now on. Stack config has the secrets that it takes from there. */
export function declare(project: Project, input: object, secrets: Readonly<Record<string, string>>): void {
  writeFileSync(join(project.folder, "input.json"), JSON.stringify(input));
  const config = Object.entries(secrets).map(([name, value]) => [`bench:${name}`, value] as const);
  // Values stand there in plain: to decrypt them would cost every contender the same.
  project.configure(Object.fromEntries(config));
}
