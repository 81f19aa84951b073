import { SEED } from "../../provider/src/sandbox";

/** One command of a guide, as its page has it. */
export interface Step {
  readonly run: string;
  /** How it ends; default 0. */
  readonly code?: number;
  /** What it must print. */
  readonly shows?: RegExp;
  /** The requests that it causes and that are no reads: each kind once, sorted. */
  readonly writes?: readonly string[];
}

/** Something that a user does with nothing but the page, the packed project and a service. */
export interface Guide {
  readonly title: string;
  /** What lies in its empty folder at first, by name: a folder of the project to copy from, or a text. */
  readonly folder: { readonly copyOf: string } | { readonly files: Readonly<Record<string, string>> };
  /** Needs the archive of the native plugin beside the program. */
  readonly plugin?: true;
  /** A language whose host the set-up may not have found: the guide is skipped then. */
  readonly language?: "yaml" | "python" | "go";
  readonly steps: readonly Step[];
}

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
