import type { JournalEntry, SandboxOptions, World } from "../../../provider/src/sandbox";
import { type Answer, type Fixture, send, start } from "../../sandbox/caller";
import { type EndpointName, endpoints } from "./specification";

/** An environment that no sandbox has. */
export const UNKNOWN_ID = "99999999-9999-4999-8999-999999999999";
/** A token that no sandbox takes. */
export const WRONG_TOKEN = "wrong-token";

/** What varies about a request of plain HTTP. */
interface RawRequest {
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
export interface ServiceStage extends Pick<Fixture, "clock">, AsyncDisposable {
  readonly world: World;
  /** A request as the endpoint's row describes it. */
  raw(endpoint: EndpointName, request?: RawRequest): Promise<Answer>;
  /** The requests the sandbox has received since this was last asked. */
  requests(): readonly JournalEntry[];
}

/** Starts a sandbox, empty unless told otherwise. */
export async function startService(options: SandboxOptions = {}): Promise<ServiceStage> {
  const { sandbox, clock } = await start({ environments: [], ...options });
  let mark = 0;
  return {
    world: sandbox.world,
    clock,
    raw: (endpoint, { id = UNKNOWN_ID, variable = "", method = endpoints[endpoint].methods[0], query, ...rest } = {}) =>
      send(method, `${sandbox.url}${pathOf(endpoint, id, variable)}?${String(new URLSearchParams(query))}`, {
        token: sandbox.token,
        ...rest,
      }),
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

/** Everything a refusal must not change. */
export function snapshotOf(world: World): unknown {
  return world.environments.list().map((environment) => ({
    environment,
    builds: world.builds(environment.id),
    variables: world.variables(environment.id),
    snapshotLoads: world.snapshotLoads(environment.id),
  }));
}
