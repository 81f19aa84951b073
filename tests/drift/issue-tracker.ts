import { createServer, type IncomingMessage, type Server } from "node:http";
import { json } from "node:stream/consumers";
import * as z from "zod";
import { listen } from "../support/listen";

const given = z.object({
  title: z.string().optional(),
  /** GitHub's name of the text, and of a comment's text on both. */
  body: z.string().optional(),
  /** GitLab's name of the text. */
  description: z.string().optional(),
  labels: z.union([z.string(), z.array(z.string())]).optional(),
  state: z.string().optional(),
  state_event: z.string().optional(),
});

/** An issue as a person sees it. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly labels: readonly string[];
  readonly text: string;
  readonly isOpen: boolean;
  readonly comments: readonly string[];
}

/** Which service is played. The paths and names are those of its REST documentation. */
export type Flavour = "github" | "gitlab";

/** A pull request as GitHub answers when asked for its number. */
export interface PullRequest {
  readonly state: "open" | "closed";
  readonly branch: string;
  /** When the answer is about another one. */
  readonly number?: number;
}

/** GitHub refuses a longer text. */
const MAX_TEXT = 65_536;
const ROOT = { github: "/repos/acme/infra/issues", gitlab: "/api/v4/projects/7/issues" } as const;
const PULL_REQUEST = /^\/repos\/acme\/infra\/pulls\/(\d+)$/u;
const TOKEN = {
  github: ["authorization", "Bearer tracker-token"],
  gitlab: ["private-token", "tracker-token"],
} as const;

/** As much of GitHub's or GitLab's issues as a job needs that keeps one issue, in memory. On GitHub also its pull requests. */
export class IssueTracker {
  readonly issues: Issue[] = [];
  readonly pullRequests = new Map<number, PullRequest>();
  /** All calls but those that only read, as `POST /1/comments`. */
  readonly writes: string[] = [];
  /** Answered to each write, if it is set. */
  refusal: { readonly status: number; readonly body: object } | undefined;
  readonly #flavour: Flavour;
  readonly #server: Server;

  constructor(flavour: Flavour) {
    this.#flavour = flavour;
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body }) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
      );
    });
  }

  /** The environment variables with which a job of this service runs. */
  async start(): Promise<Readonly<Record<string, string>>> {
    const root = `http://127.0.0.1:${await listen(this.#server)}`;
    return this.#flavour === "github"
      ? { GITHUB_API_URL: root, GITHUB_REPOSITORY: "acme/infra", GITHUB_TOKEN: "tracker-token" }
      : { CI_API_V4_URL: `${root}/api/v4`, CI_PROJECT_ID: "7", GITLAB_TOKEN: "tracker-token" };
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<{ readonly status: number; readonly body: unknown }> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://tracker");
    const [header, token] = TOKEN[this.#flavour];
    if (request.headers[header] !== token) return { status: 401, body: { message: "Bad credentials" } };
    const [, pullRequest] = PULL_REQUEST.exec(pathname) ?? [];
    if (this.#flavour === "github" && pullRequest !== undefined) return this.#pullRequest(Number(pullRequest));
    if (!pathname.startsWith(ROOT[this.#flavour])) return { status: 404, body: { message: "Not Found" } };
    const path = pathname.slice(ROOT[this.#flavour].length);
    if (request.method === "GET") {
      const label = searchParams.get("labels") ?? "";
      return { status: 200, body: this.#shown((issue) => issue.isOpen && issue.labels.includes(label)) };
    }
    this.writes.push(`${request.method} ${path}`);
    if (this.refusal !== undefined) return this.refusal;
    return this.#write(path, given.parse(await json(request)));
  }

  #pullRequest(number: number): { readonly status: number; readonly body: unknown } {
    const found = this.pullRequests.get(number);
    if (found === undefined) return { status: 404, body: { message: "Not Found" } };
    const { branch, ...shown } = found;
    return { status: 200, body: { number, ...shown, head: { ref: branch } } };
  }

  #write(path: string, { title = "", body, description, labels = [], ...change }: z.output<typeof given>) {
    const text = this.#flavour === "github" ? body : description;
    const [, number, comments] = path.split("/");
    if ((text ?? "").length > MAX_TEXT) return { status: 422, body: { message: "Validation Failed" } };
    if (number === undefined) {
      const names = typeof labels === "string" ? labels.split(",") : labels;
      this.issues.push({
        number: this.issues.length + 1,
        title,
        labels: names,
        text: text ?? "",
        isOpen: true,
        comments: [],
      });
      return { status: 201, body: this.#shown(({ number: last }) => last === this.issues.length)[0] };
    }
    const at = Number(number) - 1;
    const issue = this.issues[at];
    if (issue === undefined) return { status: 404, body: { message: "Not Found" } };
    if (comments !== undefined) this.issues[at] = { ...issue, comments: [...issue.comments, body ?? ""] };
    else {
      const isClosed = change.state === "closed" || change.state_event === "close";
      this.issues[at] = { ...issue, text: text ?? issue.text, isOpen: issue.isOpen && !isClosed };
    }
    return { status: 200, body: {} };
  }

  #shown(isWanted: (issue: Issue) => boolean): readonly object[] {
    return this.issues
      .filter(isWanted)
      .map(({ number, title, text }) =>
        this.#flavour === "github" ? { number, title, body: text } : { iid: number, title, description: text },
      );
  }
}
