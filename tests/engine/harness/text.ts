/** The entries of maps that a detailed display (`--diff`) marks as added, changed or removed, each once, sorted. */
export function changedEntries(text: string): readonly string[] {
  const names = Array.from(text.matchAll(/^\s+[~+-] +"?([\w./-]+)"? *: (?!\{|\[$)/gmu), ([, name = ""]) => name);
  return [...new Set(names)].toSorted();
}
