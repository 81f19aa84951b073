import { type Journal, ManualClock, type Sandbox, type SandboxOptions, startSandbox } from "../../provider/src/sandbox";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** An answer, read completely. `json` is undefined for an empty or a non-JSON body. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  readonly headers: Headers;
}

/** What a test may vary about a request. */
export interface RequestOptions {
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
}

/** A sandbox on a clock that stands still, and a way to call it. */
export interface Fixture extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  call(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  control(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

/** Root of the service's paths. */
export const ROOT = "/api/v1/environment";

/** Starts a sandbox. `call` takes paths below the service's root. */
export async function start(options: SandboxOptions = {}): Promise<Fixture> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ clock, ...options });
  const origin = new URL(sandbox.url).origin;
  return {
    sandbox,
    clock,
    call: (method, path, request = {}) => send(method, sandbox.url + ROOT + path, { token: sandbox.token, ...request }),
    control: (method, path, request = {}) => send(method, `${origin}/__sandbox/${path}`, request),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

/** Sends one request with the global fetch. */
export async function send(method: string, url: string, options: RequestOptions = {}): Promise<Answer> {
  const text = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await fetch(url, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { "x-api-token": options.token }),
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const answer = await response.text();
  return { status: response.status, text: answer, json: toJson(answer), headers: response.headers };
}

/** Against hanging only: without it, a test that waits in vain would keep the process busy for ever. */
const ARRIVAL_LIMIT_MS = 100_000;

/** Waits until the journal holds this many entries. */
export async function arrival(journal: Journal, count: number): Promise<void> {
  const deadline = performance.now() + ARRIVAL_LIMIT_MS;
  while (journal.entries.length < count) {
    if (performance.now() > deadline) throw new Error(`only ${journal.entries.length} of ${count} requests arrived`);
    await new Promise(setImmediate);
  }
}

/** The body of a branch change. */
export function branchChange(id: string, branches: Readonly<Record<string, string>>): object {
  const projects = Object.entries(branches).map(([repo_name, branch]) => ({ repo_name, branch }));
  return { data: { id, type: "application", attributes: { projects } } };
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAIN = join(__dirname, "../../dist/provider/src/main.js");

/** Against hanging only: a command that should end, and serves instead. */
const GUARD_MS = 30_000;

/** What a finished command left. */
export interface Outcome {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** `pulumi-previewenv sandbox` in a process of its own, which ends with the block that has it. */
export class Command implements Disposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly outcome: Promise<Outcome>;

  constructor(...options: readonly string[]) {
    this.child = spawn(process.execPath, [MAIN, "sandbox", ...options], { timeout: GUARD_MS });
    this.outcome = outcomeOf(this.child);
  }

  /** Waits for the line that says where it listens, and gives back all that was printed with it. */
  async greeting(): Promise<string> {
    const ended = this.outcome.then(({ stderr }) => {
      throw new Error(`the command ended early: ${stderr}`);
    });
    let printed = "";
    while (!printed.includes("Ctrl-C")) {
      const [chunk] = await Promise.race([once(this.child.stdout, "data"), ended]);
      printed += String(chunk);
    }
    return printed;
  }

  [Symbol.dispose](): void {
    this.child.kill("SIGKILL");
  }
}

async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}
