import * as z from "zod";
import { atMostOneMib, flattened, IdText, isMap, listOf } from "./answer";
import { Links } from "./pages";

/** One repository of an environment, as it is deployed. */
export interface Project {
  readonly repoName: string;
  /** Empty when the service does not say. */
  readonly orgName: string;
  readonly branch: string;
  /** Empty when the service does not say. */
  readonly commitHash: string;
  readonly pullRequestNumber?: number;
}

/** A preview environment. */
export interface Environment {
  readonly id: string;
  readonly name: string;
  /** Empty when the service does not say. */
  readonly url: string;
  readonly processing: boolean;
  readonly ready: boolean;
  readonly retired: boolean;
  readonly deleted: boolean;
  readonly stopped: boolean;
  readonly projects: readonly Project[];
  /** A secret. */
  readonly bypassToken?: string;
}

/** A text that may be missing: nothing depends on it. */
export const OptionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

/** A pull request's number; null or absent when there is none. */
export const PullRequestNumber = z.int().nullish();

const ProjectAnswer = z
  .object({
    repo_name: z.string(),
    org_name: OptionalText,
    branch: z.string(),
    commit_hash: OptionalText,
    pull_request_number: PullRequestNumber,
  })
  .transform(({ repo_name, org_name, branch, commit_hash, pull_request_number }): Project => ({
    repoName: repo_name,
    orgName: org_name,
    branch,
    commitHash: commit_hash,
    ...(typeof pull_request_number === "number" && { pullRequestNumber: pull_request_number }),
  }));

/** An environment of a list: `{id, type, attributes}`. */
const EnvironmentItem = atMostOneMib(
  flattened({
    id: IdText,
    name: z.string(),
    url: OptionalText,
    processing: z.boolean(),
    ready: z.boolean(),
    retired: z.boolean(),
    deleted: z.boolean(),
    stopped: z.boolean(),
    projects: listOf(ProjectAnswer),
    bypass_token: z.string().nullish(),
  }).transform(
    ({ id, name, url, processing, ready, retired, deleted, stopped, projects, bypass_token }): Environment => ({
      id,
      name,
      url,
      processing,
      ready,
      retired,
      deleted,
      stopped,
      projects,
      ...(typeof bypass_token === "string" && { bypassToken: bypass_token }),
    }),
  ),
);

/** The answer to a read of one environment. The specification does not show it: bare and within `data` are both read. */
export const EnvironmentAnswer = z.preprocess(
  (body) => (isMap(body) && isMap(body["data"]) ? body["data"] : body),
  EnvironmentItem,
);

/** One page of the list of environments. */
export const EnvironmentPage = z.object({ data: listOf(EnvironmentItem), links: Links.nullish() });
