import * as z from "zod";
import { atMostOneMib, IdText, isMap, itemOf } from "./answer";
import { Links } from "./pages";

/** A text that may be missing, and then is empty: nothing depends on it. */
export const OptionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

/** A pull request's number. Null or absent when there is none. */
export const PullRequestNumber = z.int().nullish();

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
export const EnvironmentAnswer = z.preprocess(
  (body) => (isMap(body) && isMap(body["data"]) ? body["data"] : body),
  EnvironmentItem,
);

/** One page of the list of environments. */
export const EnvironmentPage = z.object({ data: z.array(EnvironmentItem).readonly(), links: Links.nullish() });
