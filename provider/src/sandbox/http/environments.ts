import { listedBuilds, queueBuild, shownProjects } from "../domain/builds";
import { switched } from "../domain/commits";
import { isObject } from "../domain/fields";
import type { Environment, Project } from "../domain/model";
import { isTrue, paginate } from "./pagination";
import { renderBuild, renderEnvironment } from "./rendering";
import { type Call, HttpError, type Reply, type Route } from "./router";
import type { Store } from "../domain/store";

const COLLECTION = "/api/v1/environment";
const SINGLE = `${COLLECTION}/:environmentId`;

/** List and read environments and their builds, and change the branches of one. */
export function environmentRoutes(store: Store): readonly Route[] {
  return [
    { method: "GET", path: COLLECTION, label: "/environments", handle: (call) => list(store, call) },
    {
      method: "GET",
      path: SINGLE,
      label: "/environment",
      handle: (call) => ({ status: 200, json: single(store, findEnvironment(store, call)) }),
    },
    ...store.choices.branchMethods.map((method) => ({
      method,
      path: SINGLE,
      label: "/environment",
      takesBody: true,
      handle: (call: Call) => changeBranches(store, findEnvironment(store, call), call),
    })),
    { method: "GET", path: `${SINGLE}/build-history`, label: "/build-history", handle: (call) => history(store, call) },
  ];
}

/** The environment a call is about. Throws the 404 of the given title. */
export function findEnvironment(store: Store, call: Call, title = "Environment not found"): Environment {
  const environment = store.find(call.environmentId);
  if (environment === undefined) throw new HttpError(404, title);
  return environment;
}

function list(store: Store, call: Call): Reply {
  const matching = [...store.environments.values()].filter((environment) => isListed(store, environment, call.query));
  const { items, links } = paginate(matching, COLLECTION, call.query, store.choices);
  const data = items.map((environment) => renderEnvironment(store, environment, "list"));
  return { status: 200, json: { data, links } };
}

function isListed(store: Store, environment: Environment, query: URLSearchParams): boolean {
  const { filterMatch, filterProjects, listDeleted } = store.choices;
  const deleted = isTrue(query.get("deleted"));
  if (environment.flags.deleted && !deleted) return false;
  if (!environment.flags.deleted && deleted && listDeleted === "onlyDeleted") return false;
  const fits = (filter: string, text: string) => {
    const wanted = query.get(filter);
    if (wanted === null || wanted === "") return true;
    return filterMatch === "exact" ? text === wanted : text.includes(wanted);
  };
  const projectFilters: readonly ((project: Project) => boolean)[] = [
    (project) => fits("org_name", project.orgName),
    (project) => fits("repo_name", project.repoName),
    (project) => fits("branch", project.branch),
    (project) => fits("pull_request_number", String(project.pullRequestNumber ?? "")),
  ];
  const projects = shownProjects(store, environment);
  return (
    fits("name", environment.name) &&
    (filterProjects === "sameProject"
      ? projects.some((project) => projectFilters.every((filter) => filter(project)))
      : projectFilters.every((filter) => projects.some(filter)))
  );
}

function single(store: Store, environment: Environment): object {
  const rendered = renderEnvironment(store, environment, "single");
  return store.choices.singleEnvironmentBody === "data" ? { data: rendered } : rendered;
}

function changeBranches(store: Store, environment: Environment, call: Call): Reply {
  const wanted = readBranches(environment, call.body);
  environment.projects = environment.projects.map((project) => switched(store, project, wanted.get(project.repoName)));
  const { branchChangeBody, flagsAfterBranchChange } = store.choices;
  environment.flags = { ...environment.flags, ...flagsAfterBranchChange };
  queueBuild(store, environment);
  store.changed();
  if (branchChangeBody === "empty") return { status: 200 };
  if (branchChangeBody === "json") return { status: 200, json: { message: "build queued" } };
  return { status: 200, json: single(store, environment) };
}

function readBranches(environment: Environment, body: unknown): ReadonlyMap<string, string> {
  const data = isObject(body) ? body["data"] : undefined;
  if (!isObject(data)) throw new HttpError(400, "data is required");
  const { id, type, attributes } = data;
  if (typeof id !== "string" || id.toLowerCase() !== environment.id) {
    throw new HttpError(400, "data.id must be the id of the environment");
  }
  if (type !== "application") throw new HttpError(400, 'data.type must be "application"');
  const projects: unknown = isObject(attributes) ? attributes["projects"] : undefined;
  if (!Array.isArray(projects)) throw new HttpError(400, "data.attributes.projects must be an array");
  const branches = new Map<string, string>();
  for (const project of projects) addBranch(environment, branches, project);
  // "The array must contain a repo/branch entry for every repo already in the environment."
  const absent = environment.projects.filter(({ repoName }) => !branches.has(repoName));
  if (absent.length > 0) {
    throw new HttpError(400, `projects must name every repo of the environment, missing: ${names(absent)}`);
  }
  return branches;
}

function addBranch(environment: Environment, branches: Map<string, string>, project: unknown): void {
  const { branch, repo_name: repoName } = isObject(project) ? project : {};
  if (typeof branch !== "string" || branch === "" || typeof repoName !== "string" || repoName === "") {
    throw new HttpError(400, "each project needs a branch and a repo_name");
  }
  if (branches.has(repoName)) throw new HttpError(400, `repo ${repoName} is named twice`);
  if (!environment.projects.some((known) => known.repoName === repoName)) {
    throw new HttpError(400, `repo ${repoName} is not part of the environment`);
  }
  branches.set(repoName, branch);
}

function names(projects: readonly Project[]): string {
  return projects.map(({ repoName }) => repoName).join(", ");
}

function history(store: Store, call: Call): Reply {
  const environment = findEnvironment(store, call, "Application not found!");
  const all = listedBuilds(store, environment);
  const onlySuccessful = isTrue(call.query.get("successfully_built"));
  const matching = onlySuccessful ? all.filter((build) => build.outcome === "succeeded") : all;
  const path = `${COLLECTION}/${environment.id}/build-history`;
  const { items, links } = paginate(matching, path, call.query, store.choices);
  // "When an environment has no builds, data is an empty array (instead of an object)."
  const isEmpty = all.length === 0 || (items.length === 0 && store.choices.emptyHistoryPage === "array");
  const data = isEmpty ? [] : { builds: items.map(renderBuild), name: environment.name };
  return { status: 200, json: { data, id: environment.id, type: "application", links } };
}
