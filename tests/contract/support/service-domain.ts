import type { Build, Environment, EnvVar } from "../../../provider/src/client";
import type { World } from "../../../provider/src/sandbox";

type Project = ReturnType<World["builds"]>[number]["projects"][number];

/** What the client must make of an environment, the bypass token included. */
export function expectedEnvironment(world: World, id: string): Environment {
  const view = world.environments.get(id);
  if (view === undefined) throw new Error(`no environment ${id}`);
  // What the next build will come to is known to the sandbox alone.
  const { nextBuild: _nextBuild, ...shown } = view;
  return { ...shown, projects: view.projects.map(withoutUnset) };
}

/** What the client must make of an environment's builds, newest first. */
export function expectedBuilds(world: World, id: string): Build[] {
  return world.builds(id).map(({ id: buildId, outcome, queuedAt, projects }) => ({
    id: buildId,
    successfullyBuilt: outcome === "succeeded",
    queuedAt,
    projects: projects.map(({ orgName, ...project }) => withoutUnset({ ...project, repoOwner: orgName })),
  }));
}

/** What the client must make of an environment's variables; `shown` are the values as they are answered. */
export function expectedVariables(world: World, id: string, shown: Readonly<Record<string, string>>): EnvVar[] {
  return world
    .variables(id, Object.keys(shown))
    .map((variable) => ({ ...variable, value: shown[variable.name] ?? "", services: [...variable.services] }));
}

/** Everything a refusal must not change. */
export function snapshotOf(world: World): unknown {
  return world.environments.list().map((environment) => ({
    environment,
    builds: world.builds(environment.id),
    variables: world.variables(environment.id),
    snapshotLoads: world.snapshotLoads(environment.id),
  }));
}

/** "null when the project is not tied to a pull request" on the wire, and no field in the client's values. */
function withoutUnset<T extends Pick<Project, "pullRequestNumber">>(project: T) {
  const { pullRequestNumber, ...rest } = project;
  return { ...rest, ...(pullRequestNumber !== undefined && { pullRequestNumber }) };
}
