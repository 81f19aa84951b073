/**
 * The specification's tables as data, and nothing else: what it fixes is here, what it leaves open is not. The service
 * tests ask the sandbox for every row through plain HTTP.
 */

/** When an endpoint gives an answer. */
export type When =
  | "success"
  | "partial failure"
  | "condition not met"
  | "invalid input"
  | "missing token"
  | "wrong token"
  | "unknown environment"
  | "unknown env var";

/** One row of an endpoint's responses. */
export interface AnswerRow {
  readonly status: number;
  readonly when: When;
  /** Absent when the specification gives no text. */
  readonly title?: string;
}

/** One endpoint. `<app_uuid>` and `<var_name>` in its path stand for values. */
export interface EndpointRow {
  /** More than one where the specification does not show which of them the service accepts. */
  readonly methods: readonly string[];
  readonly path: string;
  readonly answers: readonly AnswerRow[];
}

const COLLECTION = "/api/v1/environment";
const SINGLE = `${COLLECTION}/<app_uuid>`;

/** "Every request carries the header x-api-token": the tables of some endpoints leave these two out. */
const UNAUTHORISED = [
  { status: 401, when: "missing token", title: "Invalid token" },
  { status: 401, when: "wrong token", title: "Invalid token" },
] as const;
const UNKNOWN = { status: 404, when: "unknown environment" } as const;

function operation(name: string, title: string): EndpointRow {
  return {
    methods: ["POST"],
    path: `${SINGLE}/${name}`,
    answers: [
      { status: 204, when: "success" },
      { status: 400, when: "condition not met", title },
      ...UNAUTHORISED,
      UNKNOWN,
    ],
  };
}

/** "Endpoints", with the statuses and titles of "Errors". */
export const endpoints = {
  listEnvironments: {
    methods: ["GET"],
    path: COLLECTION,
    answers: [{ status: 200, when: "success" }, ...UNAUTHORISED],
  },
  readEnvironment: {
    methods: ["GET"],
    path: SINGLE,
    answers: [{ status: 200, when: "success" }, ...UNAUTHORISED, UNKNOWN],
  },
  readBuildHistory: {
    methods: ["GET"],
    path: `${SINGLE}/build-history`,
    answers: [{ status: 200, when: "success" }, ...UNAUTHORISED, { ...UNKNOWN, title: "Application not found!" }],
  },
  stop: operation("stop", "Environment is not running"),
  restart: operation("restart", "Environment is not retired"),
  rebuild: operation("rebuild", "Environment is not active"),
  revive: operation("revive", "Environment is already active"),
  cancel: operation("cancel", "Environment is not active or no builds in-flight"),
  loadSnapshot: {
    methods: ["POST"],
    path: `${SINGLE}/snapshot-load`,
    answers: [{ status: 204, when: "success" }, { status: 400, when: "invalid input" }, ...UNAUTHORISED, UNKNOWN],
  },
  changeBranches: {
    methods: ["POST", "PATCH"],
    path: SINGLE,
    answers: [{ status: 200, when: "success" }, { status: 400, when: "invalid input" }, ...UNAUTHORISED, UNKNOWN],
  },
  listVariables: {
    methods: ["GET"],
    path: `${SINGLE}/env-vars`,
    answers: [{ status: 200, when: "success" }, ...UNAUTHORISED, UNKNOWN],
  },
  writeVariables: {
    methods: ["PUT"],
    path: `${SINGLE}/env-vars`,
    answers: [
      { status: 200, when: "success" },
      { status: 207, when: "partial failure" },
      { status: 400, when: "invalid input" },
      ...UNAUTHORISED,
      UNKNOWN,
    ],
  },
  deleteVariable: {
    methods: ["DELETE"],
    path: `${SINGLE}/env-vars/<var_name>`,
    answers: [{ status: 204, when: "success" }, ...UNAUTHORISED, UNKNOWN, { status: 404, when: "unknown env var" }],
  },
} as const satisfies Readonly<Record<string, EndpointRow>>;

/** The name of a row of `endpoints`. */
export type EndpointName = keyof typeof endpoints;

/** The flags that a person or an operation sets. */
export interface StateFlags {
  readonly stopped: boolean;
  readonly retired: boolean;
  readonly deleted: boolean;
}

/** One row of "States and transitions" that can fail. Undefined: the flags the condition names are not defined. */
export interface TransitionRow {
  readonly condition: string;
  isMet(flags: StateFlags, buildInFlight: boolean): boolean | undefined;
}

/** "States and transitions". "Active" is what rebuild and revive mean by it: not deleted. */
export const transitions = {
  stop: {
    condition: "environment is running",
    isMet: ({ stopped, retired, deleted }) => !stopped && !retired && !deleted,
  },
  restart: { condition: "environment is retired", isMet: ({ retired }) => retired },
  rebuild: { condition: "environment is not deleted", isMet: ({ deleted }) => !deleted },
  revive: { condition: "environment is deleted", isMet: ({ deleted }) => deleted },
  cancel: {
    condition: "environment is active and its latest build is in progress",
    isMet: ({ stopped, retired, deleted }, buildInFlight) => {
      if (deleted || !buildInFlight) return false;
      // Whether a stopped or retired environment, which is not deleted, counts as active here is not shown.
      return stopped || retired ? undefined : true;
    },
  },
} as const satisfies Readonly<Record<string, TransitionRow>>;

/** The name of a row of `transitions`: the endpoint's. */
export type TransitionName = keyof typeof transitions;

/** "Query parameters" of the two endpoints that take any, each with the default of "Limits" as it is written in a query. */
export const queryParameters = {
  listEnvironments: {
    name: undefined,
    org_name: undefined,
    repo_name: undefined,
    branch: undefined,
    pull_request_number: undefined,
    deleted: "false",
    page: "1",
    page_size: "20",
  },
  readBuildHistory: { successfully_built: "false", page: "1", page_size: "20" },
} as const satisfies Partial<Record<EndpointName, Readonly<Record<string, string | undefined>>>>;

/** "Pagination links object" and "Limits". */
export const pagination = {
  firstPage: 1,
  defaultPageSize: 20,
  /** "`next` and `prev` are the empty string when there is no such page." */
  noSuchPage: "",
} as const;

/** Formats of timestamps. */
export const timestamps = {
  /** "ISO 8601 UTC timestamp with microseconds and a trailing Z". */
  queuedAt: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/u,
  /** "YYYY-MM-DDTHH:MM:SS, no zone suffix". */
  createdAt: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/u,
} as const;

/** "For an item missing name or value it is a message saying name and value are required." */
export const MISSING_FIELD = /name and value (are )?required/iu;
