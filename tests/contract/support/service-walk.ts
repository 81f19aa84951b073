import { ApiError, type Environment, type PreviewenvClient } from "../../../provider/src/client";
import type { EnvironmentSeed } from "../../../provider/src/sandbox";
import { collect, failureOf, type ServiceStage, UNKNOWN_ID, WRONG_TOKEN } from "./service-stage";

const SHOP = "11111111-1111-4111-8111-111111111111";
const EMPTY = "22222222-2222-4222-8222-222222222222";
const GONE = "33333333-3333-4333-8333-333333333333";
const OTHERS = 42;
const web = { repoName: "web", branch: "main", pullRequestNumber: 42 };
const api = { repoName: "api", branch: "main" };
const SECRET = "abcdefghijklmnopqrstuvwxyz";

/** The environments that `walk` needs: 45 that are not deleted, and a deleted one. */
export const walkedEnvironments: readonly EnvironmentSeed[] = [
  {
    id: SHOP,
    name: "shop",
    projects: [web, api],
    variables: [{ name: "KEPT", value: "1", hidden: false }],
    inherited: [{ name: "REGION", value: "eu", hidden: false }],
    builds: 2,
  },
  { id: EMPTY, name: "new", projects: [api], builds: 0 },
  { name: "failing", projects: [{ ...api, orgName: "partner" }], builds: 0 },
  { id: GONE, name: "gone", projects: [web], deleted: true, builds: 25 },
  ...Array.from({ length: OTHERS }, (_, index) => ({ name: `env-${index}`, projects: [api] })),
];

/**
 * Takes a client through everything the service does, and gives what came out of it, as far as the specification fixes
 * that: it has to be the same whatever a service makes of what is left open.
 */
export async function walk(stage: ServiceStage): Promise<object> {
  const { client } = stage;
  return {
    lists: await walkLists(client),
    histories: await walkHistories(stage),
    variables: await walkVariables(stage),
    branches: await walkBranches(stage),
    states: await walkStates(stage),
    refusals: await walkRefusals(stage),
  };
}

async function walkLists(client: PreviewenvClient): Promise<object> {
  const all = await collect(client.environments.list());
  const listed = all.find(({ id }) => id === SHOP);
  const deleted = await collect(client.environments.list({ deleted: true }));
  const filters = { name: "shop", orgName: "acme", repoName: "web", branch: "main", pullRequestNumber: 42 };
  return {
    count: all.length,
    distinct: new Set(all.map(({ id }) => id)).size,
    noneDeleted: all.every((environment) => !environment.deleted),
    deleted: deleted.filter((environment) => environment.deleted).map(({ name }) => name),
    filtered: (await collect(client.environments.list(filters))).map(({ name }) => name),
    unmatched: await collect(client.environments.list({ ...filters, name: "nowhere" })),
    token: typeof listed?.bypassToken,
    listed: listed && withoutToken(listed),
    read: withoutToken(await client.environments.get(SHOP)),
  };
}

/** The token is "returned in the environment list". Elsewhere it is not promised. */
function withoutToken({ bypassToken: _token, ...environment }: Environment): object {
  return environment;
}

async function walkHistories({ client, world }: ServiceStage): Promise<object> {
  const failing = world.environments.list().find(({ name }) => name === "failing")?.id ?? "";
  world.failNextBuild(failing);
  world.pushCommit(failing, "api");
  world.finishBuilds(failing);
  return {
    empty: await collect(client.builds.list(EMPTY)),
    noneSuccessful: await collect(client.builds.list(failing, { successfullyBuilt: true })),
    failed: (await collect(client.builds.list(failing))).map((build) => build.successfullyBuilt),
    paged: (await collect(client.builds.list(GONE))).length,
    distinct: new Set((await collect(client.builds.list(GONE))).map(({ id }) => id)).size,
  };
}

async function walkVariables({ client, world }: ServiceStage): Promise<object> {
  const secret = { name: "A/B", value: SECRET, hidden: true, services: ["web"] };
  const plain = { name: "PLAIN", value: "on", hidden: false, services: [] };
  const first = await client.envVars.upsert(SHOP, [secret, plain]);
  const again = await client.envVars.upsert(SHOP, [plain, { ...plain, value: "off" }]);
  const partial = await client.envVars.upsert(SHOP, [{ ...plain, name: "" }, secret]);
  const { variables, inherited } = await client.envVars.list(SHOP);
  await client.envVars.delete(SHOP, "A/B");
  // The answer to a write may hold variables that were not sent, and have any order.
  const find = (stored: typeof variables, name: string) => stored.find((variable) => variable.name === name);
  const masked = [first.stored, partial.stored, variables].map((stored) => find(stored, "A/B"));
  return {
    plain: [first.stored, again.stored, variables].map((stored) => find(stored, "PLAIN")?.value),
    masked: masked.map((variable) => [
      variable?.hidden,
      variable?.services,
      variable?.value.includes("*") === true && variable.value !== SECRET,
    ]),
    failed: [first.failed, again.failed, partial.failed.map((failure) => failure.name)],
    inherited: inherited.map(({ name, value }) => [name, value]),
    names: variables.map(({ name }) => name),
    left: world.variables(SHOP).map(({ name, value }) => [name, value]),
  };
}

async function walkBranches({ client, world }: ServiceStage): Promise<object> {
  const change = [
    { repoName: "web", branch: "next" },
    { repoName: "api", branch: "main" },
  ];
  await client.environments.changeBranches(SHOP, change);
  world.finishBuilds(SHOP);
  const changed = await client.environments.get(SHOP);
  const [latest] = await collect(client.builds.list(SHOP));
  // The second time the client knows the method.
  await client.environments.changeBranches(SHOP, change);
  world.finishBuilds(SHOP);
  return {
    changed: withoutToken(changed),
    built: latest?.projects,
    successful: latest?.successfullyBuilt,
    missing: await refusal(client.environments.changeBranches(SHOP, change.slice(0, 1))),
    unknown: await refusal(client.environments.changeBranches(UNKNOWN_ID, change)),
    builds: (await collect(client.builds.list(SHOP))).length,
  };
}

async function walkStates({ client, world }: ServiceStage): Promise<object> {
  const { environments } = client;
  const flags = async () => {
    world.finishBuilds(SHOP);
    const { stopped, retired, deleted, ready, processing } = await environments.get(SHOP);
    return { stopped, retired, deleted, ready, processing };
  };
  await environments.act("rebuild", SHOP);
  const rebuilt = await flags();
  await environments.act("rebuild", SHOP);
  await environments.act("cancel", SHOP);
  const cancelled = (await collect(client.builds.list(SHOP)))[0]?.successfullyBuilt;
  await environments.act("stop", SHOP);
  const { stopped } = await flags();
  world.setFlags(SHOP, { retired: true });
  await environments.act("restart", SHOP);
  const restarted = await flags();
  world.setFlags(SHOP, { deleted: true });
  await environments.act("revive", SHOP);
  const revived = await flags();
  await environments.loadSnapshot(SHOP, { sequenceNumber: 3, sourceApplicationId: EMPTY });
  const loads = world.snapshotLoads(SHOP).map((load) => [load.sequenceNumber, load.sourceEnvironmentId]);
  return { rebuilt, cancelled, stopped, restarted, revived, loads };
}

async function walkRefusals(stage: ServiceStage): Promise<object> {
  const { environments, builds, envVars } = stage.client;
  return {
    restart: await refusal(environments.act("restart", EMPTY)),
    revive: await refusal(environments.act("revive", EMPTY)),
    cancel: await refusal(environments.act("cancel", EMPTY)),
    stop: await refusal(environments.act("stop", GONE)),
    rebuild: await refusal(environments.act("rebuild", GONE)),
    snapshot: await refusal(environments.loadSnapshot(SHOP, { sequenceNumber: 1, sourceApplicationId: "shop" })),
    history: await refusal(collect(builds.list(UNKNOWN_ID))),
    variables: await refusal(envVars.list(UNKNOWN_ID)),
    variable: await refusal(envVars.delete(SHOP, "NOWHERE")),
    token: await refusal(stage.clientWith(WRONG_TOKEN).environments.get(SHOP)),
  };
}

/** Class and status. The text of a 400 is left open. */
async function refusal(work: Promise<unknown>): Promise<readonly unknown[]> {
  const error = await failureOf(work);
  return error instanceof ApiError ? [error.name, error.status] : [String(error)];
}
