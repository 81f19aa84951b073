import { type Build, type Environment, type EnvVar, PreviewenvClient } from "../../../provider/src/client";
import {
  type JournalEntry,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
  type World,
} from "../../../provider/src/sandbox";
import { CLIENT } from "../../client/support/samples";
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

/** A sandbox, plain HTTP to it and a client of it, with one clock that moves only when something sleeps. */
export interface ServiceStage extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly world: Sandbox["world"];
  readonly clock: TestClock;
  readonly client: PreviewenvClient;
  /** A client with another token. Ends with the stage. */
  clientWith(apiToken: string): PreviewenvClient;
  /** A request as the endpoint's row describes it. */
  raw(endpoint: EndpointName, request?: RawRequest): Promise<RawAnswer>;
  /** The requests the sandbox has received since this was last asked. */
  requests(): readonly JournalEntry[];
}

/** Starts a sandbox, empty unless told otherwise. */
export async function startService(options: SandboxOptions = {}): Promise<ServiceStage> {
  const clock = new TestClock();
  const sandbox = await startSandbox({ clock, token: SERVICE_TOKEN, environments: [], ...options });
  const clients: PreviewenvClient[] = [];
  const clientWith = (apiToken: string) => {
    const client = new PreviewenvClient({ ...CLIENT, baseUrl: sandbox.url, apiToken, clock });
    clients.push(client);
    return client;
  };
  let mark = 0;
  return {
    sandbox,
    world: sandbox.world,
    clock,
    client: clientWith(sandbox.token),
    clientWith,
    raw: (endpoint, given = {}) => send(sandbox, endpoint, { token: sandbox.token, ...given }),
    requests: () => {
      const entries = sandbox.journal.since(mark);
      mark = sandbox.journal.mark();
      return entries;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await sandbox.close();
    },
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

type Project = ReturnType<World["builds"]>[number]["projects"][number];

/** What the client must make of an environment, the bypass token included. */
export function expectedEnvironment(world: World, id: string): Environment {
  const view = world.environments.get(id);
  if (view === undefined) throw new Error(`no environment ${id}`);
  // What the next build will come to is known to the sandbox alone.
  const { nextBuild: _nextBuild, ...shown } = view;
  return { ...shown, projects: view.projects.map(withoutUnset) };
}

/** What the client must make of an environment's builds, newest first. */
export function expectedBuilds(world: World, id: string): Build[] {
  return world.builds(id).map(({ id: buildId, outcome, queuedAt, projects }) => ({
    id: buildId,
    successfullyBuilt: outcome === "succeeded",
    queuedAt,
    projects: projects.map(({ orgName, ...project }) => withoutUnset({ ...project, repoOwner: orgName })),
  }));
}

/** What the client must make of an environment's variables. `shown` are the values as they are answered. */
export function expectedVariables(world: World, id: string, shown: Readonly<Record<string, string>>): EnvVar[] {
  return world
    .variables(id, Object.keys(shown))
    .map((variable) => ({ ...variable, value: shown[variable.name] ?? "", services: [...variable.services] }));
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

/** "null when the project is not tied to a pull request" on the wire, and no field in the client's values. */
function withoutUnset<T extends Pick<Project, "pullRequestNumber">>(project: T) {
  const { pullRequestNumber, ...rest } = project;
  return { ...rest, ...(pullRequestNumber !== undefined && { pullRequestNumber }) };
}
