import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { environmentTitle } from "../client/error-text";
import type { CheckFailure } from "../framework/input-checks";
import type { Context } from "../framework/context";
import { fieldFacts } from "../framework/fields";
import { diffInputs, type PropertyChange } from "../framework/diff";
import { RefusedError } from "../framework/resource-errors";
import type { Properties } from "../framework/properties";
import { defineResource, type Known } from "../framework/resource";
import { applyBranches } from "./apply-branches";
import { inputs, whenStoppedMeans } from "./branches-inputs";
import { branchWarnings } from "./branch-warnings";
import { declarableBranches } from "./projects";
import { refreshedBranches } from "./refreshed-branches";
import { describeLost, restoreBranches } from "./restore-branches";
import {
  branchesShape,
  buildForNextUp,
  environmentOutputs,
  isNewRepository,
  parseState,
  pendingBuildSchema,
} from "./state";
import { getOrWarn, getUnlessGone } from "../environment/existence";
import { readEnvironmentId } from "../environment/import-id";
import { staysWhenDropped } from "../environment/dropped";
import { nameProblem } from "../framework/name-rules";

const state = inputs.extend({
  name: z.string().describe("Name of the environment."),
  url: z.string().describe("Address of the deployed environment."),
  ready: z.boolean().describe("Whether the service reports the environment as ready."),
  projects: z
    .array(
      z.object({
        repoName: z.string().describe("Name of the repository."),
        orgName: z.string().optional().describe("Organization of the repository."),
        branch: z.string().describe("Branch that is deployed."),
        commitHash: z.string().optional().describe("Commit that is deployed."),
        pullRequestNumber: z.int().optional().describe("Pull request of the branch, if it has one."),
      }),
    )
    .describe("The repositories of the environment, with branch and commit.")
    .register(fieldFacts, { secretLike: "branches" }),
  build: z
    .object({
      id: z.string().describe("The service's id of the build."),
      successfullyBuilt: z.boolean().describe("Whether the build was deployed."),
      queuedAt: z.string().describe("When the build was queued: ISO 8601, UTC, with microseconds."),
    })
    .optional()
    .describe("The last build that this resource waited for."),
  originalBranches: z
    .record(z.string(), z.string())
    .describe(
      "The branches that the environment had when this resource was created or imported. If a repository joins later, its branch is added " +
        "when the program first declares the repository, unless one of the others is missing by then.",
    )
    .register(fieldFacts, { secretLike: "branches", shownByDelete: true }),
  pending: pendingBuildSchema
    .optional()
    .describe("Bookkeeping: a build that is due and was not seen to succeed.")
    .register(fieldFacts, { internal: true }),
});

const IMPORT_FORMAT = "<environmentId>";
const inputNames = Object.keys(inputs.shape);

export const environmentBranches = defineResource({
  type: "EnvironmentBranches",
  description:
    "The branches that an environment deploys, and its builds. One `pulumi up` requests one build for all changes, and waits for it. " +
    "If you remove a repository from `branches`, it keeps its branch. A destroy changes nothing on the service, unless `onDestroy` " +
    'is `"restore"`. If the program has an EnvironmentState for the same environment, let this resource depend on it (`dependsOn`).',
  inputs,
  state,
  exclusive: { kind: "branches", nameInputs: ["branches"], starts: { input: "whenStopped", value: "wake" } },
  stateShape: branchesShape,
  alwaysStored: ["environmentId", "originalBranches"],
  importFormat: IMPORT_FORMAT,
  importDescription:
    "The import adds every repository of the environment, with the branch that is deployed now. These branches also become " +
    "`originalBranches`. `rebuildOn` is not imported. If you add it to the program, the next `up` rebuilds once.",
  check: (given, unknowns) => ({
    inputs: { ...given, requires: given.requires && [...new Set(given.requires)].toSorted() },
    failures: rules(given, unknowns),
  }),
  diff,

  apply: applyBranches,

  async read(ctx, id, old) {
    const environment = await getOrWarn(ctx, id);
    if (environment === undefined) return undefined;
    const refreshed = await refreshedBranches(ctx, environment, old);
    // All state but that of a `get` has its own original branches, which count.
    const { branches: originalBranches } = declarableBranches(environment);
    const now = { originalBranches, ...old, environmentId: id, ...environmentOutputs(environment), ...refreshed };
    return { id, state: now, unfinishedReasons: whyUnfinished(ctx, old) };
  },

  async import(ctx, id) {
    const environmentId = readEnvironmentId(id, IMPORT_FORMAT);
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined) return undefined;
    const { branches, leftOut } = declarableBranches(environment);
    if (Object.keys(branches).length === 0)
      throw new RefusedError(
        `environment ${environmentTitle(environment)} has no repository whose branch can be imported${leftOut && `: ${leftOut}`}.`,
      );
    const warning = `environment ${environmentTitle(environment)}: not imported, and as it is: ${leftOut}.`;
    return {
      id,
      state: { environmentId, branches, originalBranches: branches, ...environmentOutputs(environment) },
      warnings: leftOut === "" ? [] : [warning],
    };
  },

  plannedOutputs: ({ waitForBuild = true, whenStopped = "fail", branches = {} }, old) => ({
    // An `up` that waits for its build and succeeds leaves nothing pending, unless it has postponed a build. With `fail`, it postpones only one
    // that was due before, and with the branches of state it looks for no failed one.
    ...(waitForBuild === true &&
      !mayPostpone(whenStopped) &&
      parseState(old ?? {}).pending === undefined &&
      isDeepStrictEqual(old?.["branches"] ?? {}, branches) && { pending: undefined }),
    ...(waitForBuild === false && { build: undefined }),
    ...(old && !mayAddOriginal(branches, old) && { originalBranches: parseState(old).originalBranches ?? {} }),
  }),

  previewCheck: branchWarnings,

  async delete(ctx, id, old) {
    const isRestoring = parseState(old).onDestroy === "restore";
    if (await staysWhenDropped(ctx, id, old, isRestoring ? describeLost(old) : "")) return;
    if (isRestoring) await restoreBranches(ctx, id, old);
  },
});

/** Why the last `up` is not finished. Owed and postponed builds are no reason. */
function whyUnfinished(ctx: Context, old: Properties): readonly string[] {
  if (buildForNextUp(parseState(old))?.status !== "asked") return [];
  return [
    `environment ${ctx.client.titleOf(String(old["environmentId"]))}: the build that \`pulumi up\` waits for was not seen to ` +
      "succeed. Run `pulumi up` to finish.",
  ];
}

/** Inputs, and a build that the next `up` has to look after, which no input shows. */
function diff(old: Properties, news: Properties): readonly PropertyChange[] {
  const changes = diffInputs(old, news, inputNames);
  const { pending } = parseState(old);
  const isDue = buildForNextUp({ pending, waitForBuild: news["waitForBuild"] !== false }) !== undefined;
  // Where an input differs, too, the engine sees that by itself, and shows which one.
  return isDue ? [...changes, { path: ["build"], kind: "update", mustReport: changes.length === 0 }] : changes;
}

/** A value that is not known in a preview may be anything. */
function mayPostpone(whenStopped: unknown): boolean {
  const known = inputs.shape.whenStopped.safeParse(whenStopped).data;
  return known === undefined || whenStoppedMeans[known] === "postponed";
}

/** Whether these branches, as far as a preview knows them, may bring an original branch that state does not have. */
function mayAddOriginal(branches: unknown, old: Properties): boolean {
  const declared = inputs.shape.branches.safeParse(branches).data;
  return declared === undefined || Object.keys(declared).some((repo) => isNewRepository(repo, parseState(old)));
}

function rules(given: Known<typeof inputs>, unknowns: ReadonlySet<string>): readonly CheckFailure[] {
  const { branches = {}, rebuildOn, requires = [] } = given;
  const failures: CheckFailure[] = [];
  for (const [repo, branch] of Object.entries(branches))
    if (branch === "") failures.push({ path: `branches.${repo}`, reason: "must not be empty" });
  for (const [index, name] of requires.entries()) {
    const reason = nameProblem(name);
    if (reason !== undefined) failures.push({ path: `requires.${index}`, reason });
  }
  const isUnknown = unknowns.has("branches") || unknowns.has("rebuildOn");
  if (Object.keys(branches).length === 0 && rebuildOn === undefined && !isUnknown)
    failures.push({ path: "branches", reason: "must name at least one repository, unless `rebuildOn` is given" });
  return failures;
}
