import { isProcessing, isReady, shownProjects } from "../domain/builds";
import { mask } from "../domain/mask";
import type { Build, Environment, Project, Variable } from "../domain/model";
import type { Store } from "../domain/store";
import { toMicroseconds, toSeconds } from "../domain/timestamps";

/** An environment on the wire. `place` decides whether the bypass token is shown. */
export function renderEnvironment(store: Store, environment: Environment, place: "list" | "single"): object {
  const showToken = place === "list" || store.choices.bypassTokenShown === "everywhere";
  return {
    id: environment.id,
    type: "application",
    attributes: {
      ...(showToken ? { bypass_token: environment.bypassToken } : {}),
      name: environment.name,
      processing: isProcessing(store, environment),
      projects: shownProjects(store, environment).map(renderProject),
      ready: isReady(store, environment),
      retired: environment.flags.retired,
      deleted: environment.flags.deleted,
      stopped: environment.flags.stopped,
      url: environment.url,
    },
    links: { self: `/api/v1/application/${environment.id}` },
  };
}

/** A build on the wire. One in flight is not successfully built yet. */
export function renderBuild(build: Build): object {
  return {
    id: build.id,
    projects: build.projects.map((project) => ({
      branch: project.branch,
      commit_hash: project.commitHash,
      repo_owner: project.orgName,
      pull_request_number: project.pullRequestNumber ?? null,
      repo_name: project.repoName,
    })),
    successfully_built: build.outcome === "succeeded",
    queued_at: toMicroseconds(build.queuedAtMicros),
  };
}

/** A variable on the wire: masked when hidden. */
export function renderVariable(store: Store, variable: Variable): object {
  return {
    type: "env-var",
    id: variable.id,
    attributes: {
      name: variable.name,
      value: variable.hidden ? mask(variable.value, store.choices.mask) : variable.value,
      hidden: variable.hidden,
      services: variable.services,
      created_at: toSeconds(variable.createdAtMs),
      updated_at: toSeconds(variable.updatedAtMs),
    },
  };
}

function renderProject(project: Project): object {
  return {
    branch: project.branch,
    commit_hash: project.commitHash,
    org_name: project.orgName,
    pull_request_number: project.pullRequestNumber ?? null,
    repo_name: project.repoName,
  };
}
