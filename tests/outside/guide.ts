import { SEED } from "../../provider/src/sandbox";

/** One command of a guide, as its page has it. */
export interface Step {
  readonly run: string;
  /** What the reader enters. */
  readonly enters?: string;
  /** How it ends. Default 0. */
  readonly code?: number;
  /** What it must print. */
  readonly shows?: RegExp;
  /** The requests that it causes and that are no reads: each kind once, sorted. */
  readonly writes?: readonly string[];
  /** The page and line that show it. Of a step that no page shows, nothing. */
  readonly at?: string | undefined;
  /** No page shows it: `also` of fences.ts. */
  readonly isAdded?: boolean;
}

/** Something that a user does with nothing but the page, the packed project and a service. */
export interface Guide {
  readonly title: string;
  /** What lies in its folder at first: a copy of a folder of the project. Default nothing. */
  readonly copyOf?: string;
  /** Uses the native plugin, and packages of other languages: what the registries will have of this version is needed. */
  readonly plugin?: true;
  /** A language whose host the set-up may not have found: the guide is skipped then. */
  readonly language?: "yaml" | "python" | "go" | "java";
  /** Uses sops and age-keygen. It is skipped where they are not, and cannot be built. */
  readonly sops?: true;
  readonly steps: readonly Step[];
}

const [PUT, DELETE, PATCH, REBUILD] = ["PUT /env-vars", "DELETE /env-vars", "PATCH /environment", "POST /rebuild"];
/** The requests that are no reads. */
export const REQUESTS = { PUT, DELETE, PATCH, REBUILD } as const;

export const up = (...writes: readonly string[]): Step => ({ run: "pulumi up", writes });
export const destroy = (...writes: readonly string[]): Step => ({ run: "pulumi destroy", writes });
/** There is nothing left to do. */
export const AGAIN: Step = { run: "pulumi preview --expect-no-changes", writes: [] };
/** Commands of a guide only transpile the program: its types are checked once. */
export const TYPES: Step = { run: "npx tsc" };
/** The command of the drift tool, as the pages have it. */
export const DRIFT = "npx pulumi-previewenv drift";

/** Something that people, not programs, do to the service: a control request of the sandbox. */
export function byHand(request: string, body: object): Step {
  const [method = "", path = ""] = request.split(" ");
  const data = `-d '${JSON.stringify(body)}'`;
  return { run: `curl -fsS -X ${method} ${data} http://127.0.0.1:4010/__sandbox/${path}` };
}

/** Somebody edits the variable that most of the programs declare. */
export const EDIT = byHand("POST variables", {
  environmentId: SEED.shopPullRequest,
  name: "LOG_LEVEL",
  value: "by hand",
  hidden: false,
});
