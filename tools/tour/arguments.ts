import { parseArgs } from "node:util";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
const BASE_URL = "PREVIEWENV_BASE_URL";
const API_TOKEN = "PREVIEWENV_API_TOKEN";
const SETTINGS = [BASE_URL, API_TOKEN];

/** The text of `--help`, which also follows a mistake in the arguments. */
export const USAGE = `usage: npm start -- [options]

  (no options)             the tour, on a sandbox that it starts itself; nothing outside this machine is touched
  --environment UUID       an environment of the real service that ${BASE_URL} and ${API_TOKEN} name ...
  --preview-real-service   ... of which the quickstart may then be previewed: it is read, and nothing is written
  --help                   this text
`;

/** What the tour was asked to do. */
export type Request =
  | { readonly kind: "help" }
  /** `ignoresService`: settings of a real service are there, and are not used. */
  | { readonly kind: "sandbox"; readonly ignoresService: boolean }
  | { readonly kind: "preview"; readonly environmentId: string };

/** Arguments that cannot be used, or a real service that nobody allowed to be looked at. */
export class RefusedError extends Error {}

/**
 * Reads the command line (without `node` and the script) and the settings in the environment.
 * @throws RefusedError that says what to do, without the value of any setting.
 */
export function readRequest(args: readonly string[], environment: NodeJS.ProcessEnv): Request {
  const { environment: environmentId, help, "preview-real-service": isAllowed } = parse(args);
  const missing = SETTINGS.filter((name) => !environment[name]);
  if (help) return { kind: "help" };
  if (environmentId === undefined) {
    if (isAllowed) throw new RefusedError(`--preview-real-service needs --environment UUID\n\n${USAGE}`);
    return { kind: "sandbox", ignoresService: missing.length < SETTINGS.length };
  }
  if (!UUID.test(environmentId)) throw new RefusedError(`--environment must be the UUID of an environment\n\n${USAGE}`);
  if (missing.length > 0) throw new RefusedError(`--environment needs ${missing.join(" and ")} to be set`);
  if (!isAllowed) throw new RefusedError(refusal(environmentId));
  return { kind: "preview", environmentId };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        environment: { type: "string" },
        "preview-real-service": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    return values;
  } catch (error) {
    throw new RefusedError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, { cause: error });
  }
}

function refusal(environmentId: string): string {
  return [
    `The tour does not touch a real service by itself, and ${environmentId} is an environment of one.`,
    "Add --preview-real-service to preview the quickstart on it: `pulumi preview` reads the environment, and nothing is written:",
    "",
    `  npm start -- --environment ${environmentId} --preview-real-service`,
  ].join("\n");
}
