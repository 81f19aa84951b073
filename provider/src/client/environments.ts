import * as z from "zod";
import { atMostOneMib, IdText, isMap, itemOf, OptionalText, PullRequestNumber } from "./answer";
import { type Call, type CallOptions, environmentPath } from "./call";
import { NO_LIST_ADVICE, NOT_IMPLEMENTED, undocumentedAnswerText } from "./error-text";
import { ApiError, ResponseShapeError, UndocumentedNotFoundError } from "./errors";
import { environmentKey } from "./text-rules";
import { eachPage, linkedPages, Links, type Page } from "./pages";
import type { Transport } from "./transport";

const ProjectItem = itemOf({
  repo_name: z.string(),
  org_name: OptionalText,
  branch: z.string(),
  commit_hash: OptionalText,
  pull_request_number: PullRequestNumber,
});

/** One repository of an environment, as it is deployed. */
export type Project = z.output<typeof ProjectItem>;

const EnvironmentItem = atMostOneMib(
  itemOf({
    id: IdText,
    name: z.string(),
    url: OptionalText,
    processing: z.boolean(),
    ready: z.boolean(),
    retired: z.boolean(),
    deleted: z.boolean(),
    stopped: z.boolean(),
    projects: z.array(ProjectItem).readonly(),
    /** A secret. */
    bypass_token: z.string().nullish(),
  }),
);

/** A preview environment. */
export type Environment = z.output<typeof EnvironmentItem>;

/** The answer to a read of one environment. The specification does not show it: bare and within `data` are both read. */
const EnvironmentAnswer = z.preprocess(
  (body) => (isMap(body) && isMap(body["data"]) ? body["data"] : body),
  EnvironmentItem,
);

/** One page of the list of environments. */
const EnvironmentPage = z.object({ data: z.array(EnvironmentItem).readonly(), links: Links.nullish() });

/** Which environments to list. Every filter that is given must hold. */
export interface EnvironmentFilters {
  readonly name?: string | undefined;
  readonly orgName?: string | undefined;
  readonly repoName?: string | undefined;
  readonly branch?: string | undefined;
  readonly pullRequestNumber?: number | undefined;
  /** The service lists environments that are not deleted unless this is true. */
  readonly deleted?: boolean | undefined;
}

/** The branch that one repository of an environment shall have. */
export interface BranchChange {
  readonly repoName: string;
  readonly branch: string;
}

/** Which snapshot to load. */
export interface Snapshot {
  readonly sequenceNumber: number;
  /** The environment that the snapshot is of, when it is another one. */
  readonly sourceApplicationId?: string | undefined;
}

/** The answers of a service that does not know the path, or the method on it. */
const UNKNOWN_ROUTE: readonly number[] = [404, 405, NOT_IMPLEMENTED];
const OTHER = "it is about an environment with another id.";

type BranchMethod = "PATCH" | "POST";
/** The actions of an environment, apart from new branches. */
export const ACTIONS = ["stop", "restart", "rebuild", "revive", "cancel"] as const;
export type Action = (typeof ACTIONS)[number];

/** Reads and controls environments. */
export class Environments {
  readonly #transport: Transport;
  #branchMethod: BranchMethod | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Every environment that matches, over all pages. */
  async *list(filters: EnvironmentFilters = {}, call: CallOptions = {}): AsyncGenerator<Environment> {
    for await (const environments of this.pages(filters, call)) yield* environments;
  }

  /** The environments that match, page by page, for callers that must know how many pages there are. */
  pages(filters: EnvironmentFilters = {}, call: CallOptions = {}): AsyncGenerator<readonly Environment[]> {
    return eachPage((page) => this.#page(filters, page, call));
  }

  /** One environment. Throws NotFoundError, or UndocumentedNotFoundError for an undocumented 404 answer. */
  async get(id: string, call: CallOptions = {}): Promise<Environment> {
    const environment = await this.#transport.read(
      {
        description: `read environment ${this.#transport.titleOf(id)}`,
        method: "GET",
        path: environmentPath(id),
        repeatable: true,
        ...call,
      },
      EnvironmentAnswer,
    );
    // Callers use the id of the answer in their next request: it must be the same environment.
    if (environmentKey(environment.id) !== environmentKey(id))
      throw new ResponseShapeError(undocumentedAnswerText(`read environment ${this.#transport.titleOf(id)}`, OTHER));
    this.#transport.noteName(environment);
    return environment;
  }

  /**
   * Queues a build with the given branches. `projects` must name every repository of the environment. The request is not
   * repeated once it may have reached the service. `mayHaveActed` tells of which errors it may have taken effect.
   */
  async changeBranches(id: string, projects: readonly BranchChange[], call: CallOptions = {}): Promise<void> {
    const method = this.#branchMethod ?? "PATCH";
    try {
      await this.#sendBranches(method, id, projects, call);
      this.#branchMethod = method;
    } catch (error) {
      if (this.#branchMethod !== undefined || !saysRouteIsUnknown(error)) throw error;
      // The specification lists POST and shows PATCH. A 404, 405 or 501 is about the method only if the environment exists. Its
      // body does not matter: routers answer for unknown methods with bodies of their own.
      await this.get(id, call);
      await this.#sendBranches("POST", id, projects, call);
      this.#branchMethod = "POST";
    }
  }

  /**
   * Stops, restarts, rebuilds or revives an environment, or cancels its build in flight. A call that queues a build is not repeated once it may
   * have reached the service.
   */
  async act(action: Action, id: string, call: CallOptions = {}): Promise<void> {
    await this.#transport.send({
      description: `${action === "cancel" ? "cancel the latest build of" : action} environment ${this.#transport.titleOf(id)}`,
      method: "POST",
      path: environmentPath(id, `/${action}`),
      repeatable: action === "stop" || action === "cancel",
      ...call,
    });
  }

  /** Queues the load of a snapshot. Not repeated once it may have reached the service. */
  async loadSnapshot(id: string, snapshot: Snapshot, call: CallOptions = {}): Promise<void> {
    const { sequenceNumber, sourceApplicationId } = snapshot;
    await this.#transport.send({
      description: `load snapshot ${sequenceNumber} into environment ${this.#transport.titleOf(id)}`,
      method: "POST",
      path: environmentPath(id, "/snapshot-load"),
      // JSON leaves out what is undefined.
      body: {
        data: {
          type: "snapshot-load",
          attributes: { sequence_number: sequenceNumber, source_application_id: sourceApplicationId },
        },
      },
      repeatable: false,
      ...call,
    });
  }

  async #page(filters: EnvironmentFilters, page: number | undefined, call: CallOptions): Promise<Page<Environment>> {
    const query = toQuery(filters);
    const sentValues = Object.values(query).flatMap((value) => (value === undefined ? [] : String(value)));
    const { data, links } = await this.#transport.read(
      {
        description: "list environments",
        method: "GET",
        path: "/api/v1/environment",
        query: { ...query, page },
        repeatable: true,
        ...(call.isAskedWithSecret === true && { sentValues }),
        notFoundAdvice: NO_LIST_ADVICE,
        ...call,
      },
      EnvironmentPage,
    );
    if (call.isAskedWithSecret !== true) for (const environment of data) this.#transport.noteName(environment);
    return { items: data, ...linkedPages(links) };
  }

  async #sendBranches(
    method: BranchMethod,
    id: string,
    projects: readonly BranchChange[],
    call: CallOptions,
  ): Promise<void> {
    const wire = projects.map(({ repoName, branch }) => ({ branch, repo_name: repoName }));
    await this.#transport.send({
      description: `change branches of environment ${this.#transport.titleOf(id)}`,
      method,
      path: environmentPath(id),
      body: { data: { id, type: "application", attributes: { projects: wire } } },
      repeatable: false,
      ...call,
    });
  }
}

function saysRouteIsUnknown(error: unknown): boolean {
  return (
    error instanceof UndocumentedNotFoundError || (error instanceof ApiError && UNKNOWN_ROUTE.includes(error.status))
  );
}

function toQuery(filters: EnvironmentFilters): NonNullable<Call["query"]> {
  const { name, orgName, repoName, branch, pullRequestNumber, deleted } = filters;
  return { name, org_name: orgName, repo_name: repoName, branch, pull_request_number: pullRequestNumber, deleted };
}
