import * as z from "zod";
import { IdText, itemOf, OptionalText, PullRequestNumber } from "./answer";
import { type CallOptions, environmentPath } from "./call";
import { newestBuilds } from "./newest-builds";
import { linkedPages, Links } from "./pages";
import type { Transport } from "./transport";

const ProjectItem = itemOf({
  repo_name: z.string(),
  repo_owner: OptionalText,
  branch: z.string(),
  commit_hash: OptionalText,
  pull_request_number: PullRequestNumber,
});

/** One repository as a build took it. */
export type BuildProject = z.output<typeof ProjectItem>;

const BuildItem = itemOf({
  id: IdText,
  projects: z.array(ProjectItem).readonly(),
  // Null: a build that is not over.
  successfully_built: z
    .boolean()
    .nullable()
    .transform((isBuilt) => isBuilt ?? false),
  /** ISO 8601 in UTC with microseconds, as the service gives it. Empty when it does not say. */
  queued_at: OptionalText,
});

/** One build of an environment. */
export type Build = z.output<typeof BuildItem>;

/** Which builds to read. */
export interface BuildFilters {
  /** Only builds that were deployed successfully. */
  readonly successfullyBuilt?: boolean | undefined;
}

/** "When an environment has no builds, `data` is an empty array (instead of an object)". */
const filled = (data: unknown): unknown => (Array.isArray(data) && data.length === 0 ? { builds: [] } : data);

const HistoryAnswer = z.object({
  data: z.preprocess(filled, z.object({ builds: z.array(BuildItem).readonly() })),
  links: Links.nullish(),
});

/** Reads build histories. */
export class Builds {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Every build of an environment, the newest first, over as many pages as are asked for. Throws NotFoundError. */
  async *list(id: string, filters: BuildFilters = {}, call: CallOptions = {}): AsyncGenerator<Build> {
    for await (const builds of this.pages(id, filters, call)) yield* builds;
  }

  /** The builds of an environment, the newest first, page by page. Throws NotFoundError. */
  pages(
    id: string,
    { successfullyBuilt }: BuildFilters = {},
    call: CallOptions = {},
  ): AsyncGenerator<readonly Build[]> {
    return newestBuilds(async (page) => {
      const { data, links } = await this.#transport.read(
        {
          description: `read the build history of environment ${this.#transport.titleOf(id)}`,
          method: "GET",
          path: environmentPath(id, "/build-history"),
          query: { successfully_built: successfullyBuilt, page },
          repeatable: true,
          ...call,
        },
        HistoryAnswer,
      );
      return { items: data.builds, ...linkedPages(links) };
    });
  }
}
