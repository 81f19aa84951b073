const PATH = /^(?<property>\w+)(?:\.(?<plain>[^.[\]]+)|\[(?<quoted>"(?:[^"\\]|\\.)*")\])?/u;

/** The first two steps of a property path of the engine. */
export interface PropertyPath {
  readonly property: string;
  readonly name: string | undefined;
}

/** Reads `variables.NAME`, `branches["my.repository"]`, `value`. */
export function parsePath(path: string): PropertyPath {
  const { property = path, plain, quoted } = PATH.exec(path)?.groups ?? {};
  return { property, name: quoted === undefined ? plain : String(JSON.parse(quoted)) };
}
