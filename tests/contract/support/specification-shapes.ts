import * as z from "zod";
import { timestamps } from "./specification";

// "Resources and their fields": strict, so that a field too many fails like one that is missing.
const PullRequestNumber = z.int().nullable();

const Links = z.strictObject({ first: z.string(), last: z.string(), next: z.string(), prev: z.string() });

const EnvironmentShape = z.strictObject({
  id: z.uuid(),
  type: z.literal("application"),
  attributes: z.strictObject({
    bypass_token: z.string(),
    name: z.string(),
    processing: z.boolean(),
    projects: z.array(
      z.strictObject({
        branch: z.string(),
        commit_hash: z.string(),
        org_name: z.string(),
        pull_request_number: PullRequestNumber,
        repo_name: z.string(),
      }),
    ),
    ready: z.boolean(),
    retired: z.boolean(),
    deleted: z.boolean(),
    stopped: z.boolean(),
    url: z.string(),
  }),
  links: z.strictObject({ self: z.string() }),
});

const BuildShape = z.strictObject({
  id: z.string(),
  projects: z.array(
    z.strictObject({
      branch: z.string(),
      commit_hash: z.string(),
      repo_owner: z.string(),
      pull_request_number: PullRequestNumber,
      repo_name: z.string(),
    }),
  ),
  successfully_built: z.boolean(),
  queued_at: z.string().regex(timestamps.queuedAt),
});

const EnvVarShape = z.strictObject({
  type: z.literal("env-var"),
  id: z.uuid(),
  attributes: z.strictObject({
    name: z.string(),
    value: z.string(),
    hidden: z.boolean(),
    services: z.array(z.string()),
    created_at: z.string().regex(timestamps.createdAt),
    updated_at: z.string().regex(timestamps.createdAt),
  }),
});

/** `GET /api/v1/environment`. */
export const EnvironmentListBody = z.strictObject({ data: z.array(EnvironmentShape), links: Links });

/** `GET build-history` of an environment with builds. */
export const HistoryBody = z.strictObject({
  data: z.strictObject({ builds: z.array(BuildShape), name: z.string() }),
  id: z.uuid(),
  type: z.literal("application"),
  links: Links,
});

/** `GET build-history` of an environment without builds: "`data` is an empty array (instead of an object)". */
export const EmptyHistoryBody = z.strictObject({ ...HistoryBody.shape, data: z.tuple([]) });

/** `GET env-vars`. What inherited items hold is not shown. */
export const VariableListBody = z.strictObject({
  data: z.array(EnvVarShape),
  included: z.strictObject({ inherited: z.array(z.unknown()) }),
});

/** `PUT env-vars`, 200. */
export const UpsertBody = z.strictObject({ data: z.array(EnvVarShape) });

/** `PUT env-vars`, 207. */
export const PartialUpsertBody = z.strictObject({
  data: z.array(EnvVarShape),
  errors: z.array(z.strictObject({ name: z.string().nullable(), error: z.string() })),
});

const ErrorItem = z.strictObject({ status: z.int(), title: z.string() });

/** "Errors". At least one. */
export const ErrorBody = z.strictObject({ errors: z.tuple([ErrorItem]).rest(ErrorItem) });
