import { createHash } from "node:crypto";
import { refuseUnknown } from "./fields";
import { nextQueuedMicros, queueBuild } from "./builds";
import { commitHash } from "./commits";
import { MS_PER_SECOND } from "./timestamps";
import type { Build, Environment, Project } from "./model";
import type { Store } from "./store";
import { newVariable, type VariableSeed } from "./variables";

/** One repository of an environment to be. */
export interface ProjectSeed {
  readonly repoName: string;
  readonly branch: string;
  /** Default "acme". */
  readonly orgName?: string;
  readonly pullRequestNumber?: number;
}

/** An environment to be. Only a name and a project are needed. */
export interface EnvironmentSeed {
  readonly name: string;
  readonly projects: readonly ProjectSeed[];
  /** Default: a random UUID. */
  readonly id?: string;
  /** Default: made from the name. */
  readonly url?: string;
  readonly stopped?: boolean;
  readonly retired?: boolean;
  readonly deleted?: boolean;
  readonly variables?: readonly VariableSeed[];
  readonly inherited?: readonly VariableSeed[];
  /** Successful builds it has had, one a minute, the last one a minute ago. Default 1. */
  readonly builds?: number;
  /** Whether a build is in flight. Default false. */
  readonly building?: boolean;
}

/** The ids of the default world, by name. */
export const SEED = {
  orgName: "acme",
  /** Pull request 42 of `web`, running, with variables nobody's program declares. */
  shopPullRequest: "11111111-1111-4111-8111-111111111142",
  /** The main branch, running. */
  shopMain: "22222222-2222-4222-8222-222222222200",
  /** A stopped environment. */
  shopStopped: "33333333-3333-4333-8333-333333333317",
  /** A deleted environment. */
  shopDeleted: "44444444-4444-4444-8444-444444444409",
} as const;

/** The environments of a sandbox that was not told otherwise. */
export const defaultEnvironments: readonly EnvironmentSeed[] = [
  {
    id: SEED.shopPullRequest,
    name: "shop-pr-42",
    projects: [
      { repoName: "web", branch: "main", pullRequestNumber: 42 },
      { repoName: "api", branch: "main" },
    ],
    variables: [
      { name: "NODE_ENV", value: "production", hidden: false },
      { name: "PAYMENT_PROVIDER", value: "demo", hidden: false, services: ["api"] },
      { name: "SESSION_KEY", value: "not-a-real-session-key", hidden: true },
      { name: "SMTP_PASSWORD", value: "not-a-real-password", hidden: true, services: ["worker"] },
    ],
    inherited: [
      { name: "REGION", value: "eu-central", hidden: false },
      { name: "ORG_LICENSE_KEY", value: "not-a-real-license-key", hidden: true },
    ],
    builds: 2,
  },
  {
    id: SEED.shopMain,
    name: "shop-main",
    projects: [
      { repoName: "web", branch: "main" },
      { repoName: "api", branch: "main" },
    ],
    variables: [{ name: "NODE_ENV", value: "production", hidden: false }],
  },
  {
    id: SEED.shopStopped,
    name: "shop-pr-17",
    projects: [
      { repoName: "web", branch: "feature/search", pullRequestNumber: 17 },
      { repoName: "api", branch: "main" },
    ],
    stopped: true,
  },
  {
    id: SEED.shopDeleted,
    name: "shop-pr-9",
    projects: [
      { repoName: "web", branch: "fix/footer", pullRequestNumber: 9 },
      { repoName: "api", branch: "main" },
    ],
    deleted: true,
  },
];

const MS_PER_MINUTE = 60 * MS_PER_SECOND;

const SEED_FIELDS: Readonly<Record<keyof EnvironmentSeed, true>> = {
  name: true,
  projects: true,
  id: true,
  url: true,
  stopped: true,
  retired: true,
  deleted: true,
  variables: true,
  inherited: true,
  builds: true,
  building: true,
};
const PROJECT_FIELDS: Readonly<Record<keyof ProjectSeed, true>> = {
  repoName: true,
  branch: true,
  orgName: true,
  pullRequestNumber: true,
};

/** Puts an environment into the store. Throws when its id is taken. */
export function addEnvironment(store: Store, seed: EnvironmentSeed): Environment {
  refuseUnknown(seed, SEED_FIELDS, "the environment");
  const id = (seed.id ?? store.newId()).toLowerCase();
  if (store.environments.has(id)) throw new Error(`the sandbox already has an environment ${id}`);
  const projects = seed.projects.map((project) => toProject(store, project));
  const environment: Environment = {
    id,
    name: seed.name,
    url: seed.url ?? `https://${seed.name}.preview.example`,
    bypassToken: createHash("sha256").update(`bypass ${id}`).digest("hex"),
    flags: { stopped: seed.stopped ?? false, retired: seed.retired ?? false, deleted: seed.deleted ?? false },
    projects,
    deployed: projects,
    builds: pastBuilds(store, projects, seed.builds ?? 1),
    variables: new Map((seed.variables ?? []).map((variable) => [variable.name, newVariable(store, variable)])),
    inherited: (seed.inherited ?? []).map((variable) => newVariable(store, variable)),
    snapshotLoads: [],
    nextBuild: {},
  };
  store.environments.set(id, environment);
  if (seed.building === true) queueBuild(store, environment);
  return environment;
}

function toProject(store: Store, seed: ProjectSeed): Project {
  refuseUnknown(seed, PROJECT_FIELDS, "the project");
  const { repoName, branch, orgName = SEED.orgName } = seed;
  const hash = commitHash(store, { orgName, repoName, branch });
  return { orgName, repoName, branch, commitHash: hash, pullRequestNumber: seed.pullRequestNumber };
}

function pastBuilds(store: Store, projects: readonly Project[], count: number): Build[] {
  const nowMs = store.clock.now();
  return Array.from({ length: count }, (_, index) => {
    const queuedAtMs = nowMs - (count - index) * MS_PER_MINUTE;
    return {
      id: store.newId(),
      projects,
      queuedAtMicros: nextQueuedMicros(store, queuedAtMs),
      beginsAtMs: queuedAtMs,
      finishesAtMs: queuedAtMs + store.buildSeconds * MS_PER_SECOND,
      fails: false,
      outcome: "succeeded" as const,
    };
  });
}
