import {
  type JournalEntry,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
  type World,
} from "../../../provider/src/sandbox";
import { TestClock } from "../../support/test-clock";
import { authentication, type EndpointName, endpoints } from "./specification";

/** An environment that no sandbox has. */
export const UNKNOWN_ID = "99999999-9999-4999-8999-999999999999";
/** A token that no sandbox takes. */
export const WRONG_TOKEN = "wrong-token";
const SERVICE_TOKEN = "service-contract-token";

/** An answer, read completely. `json` is undefined for a body that is none. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
  readonly json: unknown;
}

/** What varies about a request of plain HTTP. */
export interface RawRequest {
  readonly id?: string;
  readonly variable?: string;
  /** Default: the endpoint's first. */
  readonly method?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default: the valid one. Undefined: none is sent. */
  readonly token?: string | undefined;
}

/** A sandbox, and plain HTTP to it, with a clock that only the test moves. */
export interface ServiceStage extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly world: Sandbox["world"];
  readonly clock: TestClock;
  /** A request as the endpoint's row describes it. */
  raw(endpoint: EndpointName, request?: RawRequest): Promise<RawAnswer>;
  /** The requests the sandbox has received since this was last asked. */
  requests(): readonly JournalEntry[];
}

/** Starts a sandbox, empty unless told otherwise. */
export async function startService(options: SandboxOptions = {}): Promise<ServiceStage> {
  const clock = new TestClock();
  const sandbox = await startSandbox({ clock, token: SERVICE_TOKEN, environments: [], ...options });
  let mark = 0;
  return {
    sandbox,
    world: sandbox.world,
    clock,
    raw: (endpoint, given = {}) => send(sandbox, endpoint, { token: sandbox.token, ...given }),
    requests: () => {
      const entries = sandbox.journal.since(mark);
      mark = sandbox.journal.mark();
      return entries;
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

/** An endpoint's path with its values, percent-encoded. */
export function pathOf(endpoint: EndpointName, id: string, variable: string): string {
  return endpoints[endpoint].path
    .replace("<app_uuid>", encodeURIComponent(id))
    .replace("<var_name>", encodeURIComponent(variable));
}

async function send(sandbox: Sandbox, endpoint: EndpointName, given: RawRequest): Promise<RawAnswer> {
  const { id = UNKNOWN_ID, variable = "", method = endpoints[endpoint].methods[0], query = {}, body, token } = given;
  const url = new URL(sandbox.url + pathOf(endpoint, id, variable));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { [authentication.header]: token }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    contentType: response.headers.get("content-type"),
    text,
    json: text === "" ? undefined : JSON.parse(text),
  };
}

/** Everything a refusal must not change. */
export function snapshotOf(world: World): unknown {
  return world.environments.list().map((environment) => ({
    environment,
    builds: world.builds(environment.id),
    variables: world.variables(environment.id),
    snapshotLoads: world.snapshotLoads(environment.id),
  }));
}
