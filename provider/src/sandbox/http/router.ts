/** A refusal: becomes `{ errors: [{ status, title }] }`. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, title: string, headers: Readonly<Record<string, string>> = {}) {
    super(title);
    this.name = "HttpError";
    this.status = status;
    this.headers = headers;
  }
}

/** The effect of a fault on names of an upsert. */
export interface Refusals {
  /** Why names are refused. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Answer the errors without saying which variable each one is about. */
  readonly anonymous: boolean;
  /** Names that the answer mentions neither as stored nor as refused. */
  readonly unmentioned?: { readonly names: readonly string[]; readonly areStored: boolean } | undefined;
}

/** One request as a handler sees it: decoded, parsed, authenticated. */
export interface Call {
  /** Empty when the path has none. */
  readonly environmentId: string;
  /** Empty when the path has none. */
  readonly variableName: string;
  readonly query: URLSearchParams;
  /** The parsed JSON body. Undefined when the route takes none. */
  readonly body: unknown;
  readonly refusals: Refusals | undefined;
}

/** The answer. Without `json` and `text` the body is empty. */
export interface Reply {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint. In its path `:environmentId` and `:variableName` stand for any segment that is not empty. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** Its name in the journal, without the method. */
  readonly label: string;
  readonly takesBody?: boolean;
  handle(call: Call): Reply;
}

/** Where a path led: to a route, or to the methods it would have taken, or nowhere. */
export interface Match {
  readonly route: Route | undefined;
  readonly label: string;
  readonly environmentId: string;
  readonly variableName: string;
  /** Methods the path knows. Empty for an unknown path. */
  readonly allowed: readonly string[];
}

interface Pattern {
  readonly segments: readonly string[];
  readonly routes: Map<string, Route>;
}

const UNKNOWN: Match = { route: undefined, label: "(unknown)", environmentId: "", variableName: "", allowed: [] };

/** Finds the route for a method and a path. */
export class Router {
  readonly #patterns = new Map<string, Pattern>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const pattern = this.#patterns.get(route.path) ?? { segments: route.path.split("/"), routes: new Map() };
      pattern.routes.set(route.method, route);
      this.#patterns.set(route.path, pattern);
    }
  }

  /** `path` is still percent-encoded, so that an encoded slash inside a segment stays in its segment. */
  match(method: string, path: string): Match {
    const segments = path.split("/");
    for (const { segments: pattern, routes } of this.#patterns.values()) {
      if (!fits(pattern, segments)) continue;
      const at = (name: string) => decode(segments[pattern.indexOf(name)] ?? "");
      return {
        route: routes.get(method),
        label: [...routes.values()][0]?.label ?? UNKNOWN.label,
        environmentId: at(":environmentId"),
        variableName: at(":variableName"),
        allowed: [...routes.keys()],
      };
    }
    return UNKNOWN;
  }
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]));
}

/** A segment that is not valid percent-encoding is taken as it stands: it will then not be found. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
