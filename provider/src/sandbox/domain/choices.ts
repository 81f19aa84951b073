import { isObject, refuseUnknown } from "./fields";
import type { MaskOptions } from "./mask";
import { type Flags, FLAGS } from "./model";

/**
 * The points that the specification leaves open, each with the sentence it fills and the most plausible answer as default.
 * A client that works with every combination works with every service the specification describes.
 */
export interface Choices {
  /** "The operation is listed as POST on this path. The sample request uses PATCH. Which the service accepts: not shown." */
  readonly branchMethods: readonly ("PATCH" | "POST")[];
  /** Not in the specification: how a path answers a method it does not know. */
  readonly wrongMethodStatus: 405 | 404;
  /** GET one environment, "Body of the 200 response: not shown": `{data: {...}}`, or the object itself. */
  readonly singleEnvironmentBody: "data" | "bare";
  /** "bypass_token: opaque token value, returned in the environment list": also in other answers, or only there. */
  readonly bypassTokenShown: "everywhere" | "listOnly";
  /** Branch change, "Body of the 200 response: not shown". */
  readonly branchChangeBody: "environment" | "empty" | "json";
  /** "Body shape of 400 responses: not shown." */
  readonly badRequestBody: "errors" | "text" | "empty";
  /** "the answer is 200 with { data: [Env var...] }": the sent ones, all of the environment, or the sent ones in another order. */
  readonly upsertAnswer: "sent" | "all" | "shuffled";
  /** "When a variable with the same name exists, its value is updated": its `hidden` and `services` too, or the value only. */
  readonly upsertOfExisting: "everything" | "valueOnly";
  /** Not in the specification: a service may take white space off the ends of a value before it stores it. */
  readonly storedValue: "asSent" | "trimmed";
  /** "a leading part and a trailing part stay visible and the middle is replaced by asterisks": how much of it. */
  readonly mask: MaskOptions;
  /** "env_vars[].value: required": whether an empty string counts as a value. */
  readonly emptyValue: "stored" | "refused";
  /** "Values of the flags after each operation: not shown": `processing` rises with the request, or some time later. */
  readonly processingStarts: "immediately" | "late";
  /** With `processingStarts: "late"`: how many seconds after the request. */
  readonly processingDelaySeconds: number;
  /** "New build queued" while another one is in flight: it ends that one, or begins after it. With `processingStarts: "late"`, after a pause. */
  readonly buildWhileBuilding: "supersedes" | "waits";
  /** Whether `ready` stays as it was while a build is in flight. */
  readonly readyWhileBuilding: boolean;
  /** Whether an environment shows the branches asked for, or those of its last successful build. */
  readonly branchesShown: "immediately" | "afterBuild";
  /** When a queued build appears in the build history. */
  readonly buildListed: "immediately" | "whenProcessing" | "afterBuild";
  /** Not in the specification: the order of a build history. `byTime`: the latest first, whatever the clock did in between. */
  readonly historyOrder: "newestFirst" | "oldestFirst" | "byTime";
  /** "When an environment has no builds, data is an empty array": also when a filter or a page leaves none, or only then. */
  readonly emptyHistoryPage: "array" | "object";
  /** "404 environment not found": whether that includes the variables of a deleted environment. */
  readonly deletedEnvironmentVariables: "404" | "200";
  /** "deleted: filter by deleted": `true` lists only deleted environments, or also deleted ones. */
  readonly listDeleted: "onlyDeleted" | "alsoDeleted";
  /** "filter by environment name" and so on: the whole text, or a part of it. */
  readonly filterMatch: "exact" | "contains";
  /** Whether all project filters must hold for one project, or each for any project of the environment. */
  readonly filterProjects: "sameProject" | "anyProject";
  /** "a relative path with a `page` query parameter": that alone, or with the other parameters of the request. */
  readonly linkQuery: "pageOnly" | "all";
  /**
   * "environment is not deleted | POST rebuild", refused with "Environment is not active": as the table says, or only for
   * a running environment. With "runningOnly" a stopped environment that is not retired cannot be started again.
   */
  readonly rebuildAllowed: "unlessDeleted" | "runningOnly";
  /**
   * "environment is running | POST stop", and so on: whether an environment that is being built counts. With "refused" stop,
   * restart, rebuild and revive are refused meanwhile, each with its own title.
   */
  readonly actionsWhileBuilding: "accepted" | "refused";
  /** Flags a stop sets ("Values of the flags after each operation: not shown"). */
  readonly flagsAfterStop: Partial<Flags>;
  /** Flags a restart sets. */
  readonly flagsAfterRestart: Partial<Flags>;
  /** Flags a rebuild sets. */
  readonly flagsAfterRebuild: Partial<Flags>;
  /** Flags a branch change sets: whether what is built is also started. */
  readonly flagsAfterBranchChange: Partial<Flags>;
  /** Flags a revive sets. */
  readonly flagsAfterRevive: Partial<Flags>;
  /** "Maximum page_size: not shown": a larger one is cut down silently. Undefined means no limit. */
  readonly maxPageSize: number | undefined;
  /** "maximum number of env vars per request: not shown": more are answered with 413. Undefined means no limit. */
  readonly maxBatch: number | undefined;
  /** "Rate limits: not shown": more requests in one second are answered with 429. Undefined means no limit. */
  readonly rateLimitPerSecond: number | undefined;
  /** Whether a PUT that changes nothing moves `updated_at`. */
  readonly updatedAtOnEqualWrite: boolean;
  /** "Same format" as "no zone suffix": how far the times of variables are ahead of UTC. West of Greenwich it is negative. */
  readonly variableTimesAheadHours: number;
}

/** The most plausible service. */
export const defaultChoices: Choices = {
  branchMethods: ["PATCH", "POST"],
  wrongMethodStatus: 405,
  singleEnvironmentBody: "data",
  bypassTokenShown: "everywhere",
  branchChangeBody: "environment",
  badRequestBody: "errors",
  upsertAnswer: "sent",
  upsertOfExisting: "everything",
  storedValue: "asSent",
  mask: {},
  emptyValue: "stored",
  processingStarts: "immediately",
  processingDelaySeconds: 1,
  buildWhileBuilding: "supersedes",
  readyWhileBuilding: false,
  branchesShown: "immediately",
  buildListed: "immediately",
  historyOrder: "newestFirst",
  emptyHistoryPage: "array",
  deletedEnvironmentVariables: "404",
  listDeleted: "onlyDeleted",
  filterMatch: "exact",
  filterProjects: "sameProject",
  linkQuery: "pageOnly",
  rebuildAllowed: "unlessDeleted",
  actionsWhileBuilding: "accepted",
  flagsAfterStop: { stopped: true },
  flagsAfterRestart: { retired: false, stopped: false },
  flagsAfterRebuild: { retired: false, stopped: false },
  flagsAfterBranchChange: {},
  flagsAfterRevive: { deleted: false, retired: false, stopped: false },
  maxPageSize: undefined,
  maxBatch: undefined,
  rateLimitPerSecond: undefined,
  updatedAtOnEqualWrite: true,
  variableTimesAheadHours: 0,
};

const MASK_OPTIONS: Readonly<Record<keyof MaskOptions, true>> = {
  unit: true,
  visibleHead: true,
  visibleTail: true,
  minHidden: true,
  fullyMasked: true,
  fixedStars: true,
};

/** @throws ShapeError for a choice that does not exist */
export function checkChoices(choices: Partial<Choices>): void {
  refuseUnknown(choices, defaultChoices, "choices");
  refuseUnknown(choices.mask ?? {}, MASK_OPTIONS, "choices.mask");
  for (const [name, flags] of Object.entries(choices))
    if (name.startsWith("flagsAfter") && isObject(flags)) refuseUnknown(flags, FLAGS, `choices.${name}`);
}
