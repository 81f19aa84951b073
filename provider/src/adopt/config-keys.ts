import { settings } from "../framework/settings";

/** A key to which a program in YAML can refer as `${secrets.KEY}`. */
const REFERABLE = /^[A-Za-z_]\w*$/u;
const MAX_CHARACTERS = 100;
/** The provider's settings, in case the project is called `previewenv`. */
const TAKEN: readonly string[] = settings.map(({ name }) => name);

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

function freeKey(name: string, taken: ReadonlySet<string>): string {
  const like = name
    .slice(0, MAX_CHARACTERS)
    .replaceAll(/[^A-Za-z0-9_]/gu, "_")
    .replace(/^(?=\d)/u, "_");
  let key = like;
  for (let count = 2; taken.has(key); count++) key = `${like}_${count}`;
  return key;
}
