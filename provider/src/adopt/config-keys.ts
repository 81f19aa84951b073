import { settings } from "../framework/settings";

/** A key to which a program in YAML can refer as `${KEY}`. */
const REFERABLE = /^[A-Za-z_]\w*$/u;
const MAX_CHARACTERS = 100;
/** What a program in YAML has under these names. And the provider's settings, in case the project is called `previewenv`. */
const TAKEN: readonly string[] = ["branches", "environment", "pulumi", "vars", ...settings.map(({ name }) => name)];

/** For each variable the key of its value in the stack's config: the variable's own name, or one like it. All keys differ. */
export function configKeys(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set([...TAKEN, ...names]);
  const keys = new Map<string, string>();
  for (const name of names) {
    const isKey = REFERABLE.test(name) && name.length <= MAX_CHARACTERS && !TAKEN.includes(name);
    const key = isKey ? name : freeKey(name, taken);
    taken.add(key);
    keys.set(name, key);
  }
  return keys;
}

/** How a program takes over the first hidden value, as lines of a comment. No value is written into the program: it lies in
 * version control.
 * @param steps What follows the command that asks for the value, in the program's language. */
export function howToTakeOver(hidden: ReadonlyMap<string, string>, steps: readonly string[]): readonly string[] {
  const [configKey] = hidden.values();
  if (configKey === undefined) return [];
  return [
    "The service hides these values, and keeps them. To manage the first one here:",
    `1. Run \`pulumi config set --secret ${configKey}\`, which asks for the value.`,
    ...steps,
    "The next `pulumi up` sends the value. Write no secret into this file.",
  ];
}

function freeKey(name: string, taken: ReadonlySet<string>): string {
  const like = name
    .slice(0, MAX_CHARACTERS)
    .replaceAll(/[^A-Za-z0-9_]/gu, "_")
    .replace(/^(?=\d)/u, "_");
  let key = like;
  for (let count = 2; taken.has(key); count++) key = `${like}_${count}`;
  return key;
}
