import { expect } from "chai";
import type { PreviewenvClient } from "../../../provider/src/client";
import type { EnvironmentSeed } from "../../../provider/src/sandbox";
import { collect } from "../../client/support/samples";
import {
  expectedBuilds,
  expectedEnvironment,
  expectedVariables,
  type RawAnswer,
  type ServiceStage,
} from "./service-stage";
import { type EndpointName, MISSING_FIELD, type When } from "./specification";
import {
  EnvironmentListBody,
  HistoryBody,
  PartialUpsertBody,
  UpsertBody,
  VariableListBody,
} from "./specification-shapes";

/** The environment of every case. */
export const ID = "11111111-1111-4111-8111-111111111111";
const MASKED = "ab************yz";

/** How one row of an endpoint's answers comes about, by plain HTTP and by the client. */
export interface Situation {
  /** Differences from `environment`. */
  readonly seed?: Partial<EnvironmentSeed>;
  /** What else has to be so before the client asks, where its types keep it from asking that. */
  arrangeClient?(stage: ServiceStage): void;
  readonly body?: unknown;
  readonly variable?: string;
  call(client: PreviewenvClient, id: string): Promise<unknown>;
  /** What plain HTTP has to answer. */
  checkRaw?(answer: RawAnswer, stage: ServiceStage): void;
  /** What the client has to make of it. */
  checkClient?(value: unknown, stage: ServiceStage): void;
  /** What has to be so afterwards, whoever asked. */
  checkWorld?(stage: ServiceStage): void;
}

/** Those rows that each endpoint answers in its own way. Wrong tokens and unknown environments are alike for all. */
export interface EndpointCase {
  /** The client's methods that send it. */
  readonly clientMethods: readonly string[];
  readonly situations: Readonly<Partial<Record<When, Situation>>>;
}

/** Both a pull request and none, both organizations, both kinds of variables. */
export const environment: EnvironmentSeed = {
  id: ID,
  name: "shop",
  projects: [
    { repoName: "web", branch: "main", pullRequestNumber: 42 },
    { repoName: "api", branch: "main", orgName: "partner" },
  ],
  variables: [
    { name: "PLAIN", value: "on", hidden: false, services: ["web"] },
    { name: "SECRET", value: "abcdefghijklmnyz" },
  ],
  inherited: [{ name: "REGION", value: "eu", hidden: false }],
  builds: 2,
};
const SHOWN = { PLAIN: "on", SECRET: MASKED };

type Action = "stop" | "restart" | "rebuild" | "revive" | "cancel";

function action(
  name: Action,
  seeds: { readonly met: Partial<EnvironmentSeed>; readonly notMet: Partial<EnvironmentSeed> },
  checkWorld: (stage: ServiceStage) => void,
): EndpointCase {
  const call: Situation["call"] = (client, id) => client.environments.act(name, id);
  return {
    clientMethods: ["environments.act"],
    situations: {
      success: { seed: seeds.met, call, checkRaw: isEmpty, checkClient: isNothing, checkWorld },
      "condition not met": { seed: seeds.notMet, call },
    },
  };
}

function isEmpty({ text }: RawAnswer): void {
  expect(text).to.equal("");
}

function isNothing(value: unknown): void {
  expect(value).to.equal(undefined);
}

function buildIsQueued({ world }: ServiceStage): void {
  expect(world.builds(ID).map(({ outcome }) => outcome)).to.deep.equal(["inFlight", "succeeded", "succeeded"]);
}

function branches(projects: readonly { readonly repo_name: string; readonly branch: string }[]): unknown {
  return { data: { id: ID, type: "application", attributes: { projects } } };
}

function snapshot(attributes: object): unknown {
  return { data: { type: "snapshot-load", attributes } };
}

/** One case for each endpoint of the specification. */
export const cases: Readonly<Record<EndpointName, EndpointCase>> = {
  listEnvironments: {
    clientMethods: ["environments.list", "environments.pages"],
    situations: {
      success: {
        call: (client) => collect(client.environments.list()),
        checkRaw: ({ json }) => {
          const [item, ...rest] = EnvironmentListBody.parse(json).data;
          expect(rest).to.deep.equal([]);
          expect(item?.links).to.deep.equal({ self: `/api/v1/application/${ID}` });
          expect(item?.attributes.projects.map((project) => project.pull_request_number)).to.deep.equal([42, null]);
        },
        checkClient: (value, { world }) => expect(value).to.deep.equal([expectedEnvironment(world, ID)]),
      },
    },
  },
  readEnvironment: {
    clientMethods: ["environments.get"],
    situations: {
      success: {
        call: (client, id) => client.environments.get(id),
        // "Body of the 200 response: not shown."
        checkClient: (value, { world }) => expect(value).to.deep.equal(expectedEnvironment(world, ID)),
      },
    },
  },
  readBuildHistory: {
    clientMethods: ["builds.list", "builds.newest"],
    situations: {
      success: {
        call: async ({ builds }, id) => [await collect(builds.list(id)), await collect(builds.newest(id))],
        checkRaw: ({ json }) => {
          const { id, data } = HistoryBody.parse(json);
          expect([id, data.name, data.builds.length]).to.deep.equal([ID, "shop", 2]);
          expect(data.builds[0]?.projects.map((project) => project.pull_request_number)).to.deep.equal([42, null]);
        },
        checkClient: (value, { world }) => {
          const builds = expectedBuilds(world, ID);
          expect(value).to.deep.equal([builds, [builds]]);
        },
      },
    },
  },
  stop: action("stop", { met: {}, notMet: { stopped: true } }, ({ world }) =>
    expect(world.environments.get(ID)?.stopped).to.equal(true),
  ),
  restart: action("restart", { met: { retired: true }, notMet: {} }, buildIsQueued),
  rebuild: action("rebuild", { met: { stopped: true }, notMet: { deleted: true } }, buildIsQueued),
  revive: action("revive", { met: { deleted: true }, notMet: { stopped: true } }, (stage) => {
    expect(stage.world.environments.get(ID)?.deleted).to.equal(false);
    buildIsQueued(stage);
  }),
  cancel: action("cancel", { met: { building: true }, notMet: {} }, ({ world }) =>
    expect(world.builds(ID)[0]?.outcome).to.equal("failed"),
  ),
  loadSnapshot: {
    clientMethods: ["environments.loadSnapshot"],
    situations: {
      success: {
        body: snapshot({ sequence_number: 7 }),
        call: (client, id) => client.environments.loadSnapshot(id, { sequenceNumber: 7 }),
        checkRaw: isEmpty,
        checkClient: isNothing,
        checkWorld: ({ world }) =>
          expect(world.snapshotLoads(ID).map(({ sequenceNumber }) => sequenceNumber)).to.deep.equal([7]),
      },
      "invalid input": {
        body: snapshot({ sequence_number: 7, source_application_id: "not-a-uuid" }),
        call: (client, id) =>
          client.environments.loadSnapshot(id, { sequenceNumber: 7, sourceApplicationId: "not-a-uuid" }),
      },
    },
  },
  changeBranches: {
    clientMethods: ["environments.changeBranches"],
    situations: {
      success: {
        body: branches([
          { repo_name: "web", branch: "next" },
          { repo_name: "api", branch: "main" },
        ]),
        call: (client, id) =>
          client.environments.changeBranches(id, [
            { repoName: "web", branch: "next" },
            { repoName: "api", branch: "main" },
          ]),
        checkClient: isNothing,
        checkWorld: (stage) => {
          buildIsQueued(stage);
          const { projects } = expectedEnvironment(stage.world, ID);
          expect(projects.map(({ branch }) => branch)).to.deep.equal(["next", "main"]);
        },
      },
      // "The array must contain a repo/branch entry for every repo already in the environment."
      "invalid input": {
        body: branches([{ repo_name: "web", branch: "next" }]),
        call: (client, id) => client.environments.changeBranches(id, [{ repoName: "web", branch: "next" }]),
      },
    },
  },
  listVariables: {
    clientMethods: ["envVars.list"],
    situations: {
      success: {
        call: (client, id) => client.envVars.list(id),
        checkRaw: ({ json }) => {
          const { data, included } = VariableListBody.parse(json);
          const shown = data.map(({ attributes }) => [attributes.name, attributes.value, attributes.services]);
          expect(shown).to.deep.equal([
            ["PLAIN", "on", ["web"]],
            ["SECRET", MASKED, []],
          ]);
          expect(included.inherited).to.have.length(1);
        },
        checkClient: (value, { world }) => {
          expect(value).to.have.deep.property("variables", expectedVariables(world, ID, SHOWN));
          expect(value).to.have.nested.property("inherited[0].name", "REGION");
        },
      },
    },
  },
  writeVariables: {
    clientMethods: ["envVars.upsert"],
    situations: {
      success: {
        body: { env_vars: [{ name: "NEW", value: "1", hidden: false, services: null }] },
        call: (client, id) => client.envVars.upsert(id, [{ name: "NEW", value: "1", hidden: false, services: [] }]),
        checkRaw: ({ json }) => expect(UpsertBody.parse(json).data[0]?.attributes.name).to.equal("NEW"),
        checkClient: (value, { world }) =>
          expect(value).to.deep.equal({ written: expectedVariables(world, ID, { NEW: "1" }), failed: [] }),
        checkWorld: ({ world }) => expect(world.variable(ID, "NEW")).to.include({ value: "1", hidden: false }),
      },
      "partial failure": {
        body: { env_vars: [{ value: "nameless" }, { name: "NEW", value: "1", hidden: false }] },
        call: (client, id) =>
          client.envVars.upsert(id, [
            { name: "", value: "nameless", hidden: false, services: [] },
            { name: "NEW", value: "1", hidden: false, services: [] },
          ]),
        checkRaw: ({ json }) => {
          const { data, errors } = PartialUpsertBody.parse(json);
          expect(data.map(({ attributes }) => attributes.name)).to.deep.equal(["NEW"]);
          expect(errors.map(({ name }) => name)).to.deep.equal([null]);
          expect(errors[0]?.error).to.match(MISSING_FIELD);
        },
        checkClient: (value, { world }) => {
          expect(value).to.have.deep.property("written", expectedVariables(world, ID, { NEW: "1" }));
          expect(value).to.have.property("failed").with.length(1);
          expect(value).to.have.nested.property("failed[0]").that.has.all.keys("reason");
          expect(value).to.have.nested.property("failed[0].reason").that.matches(MISSING_FIELD);
        },
        checkWorld: ({ world }) => expect(world.variables(ID).map(({ name }) => name)).to.include("NEW"),
      },
      "invalid input": {
        body: { env_vars: "NEW=1" },
        // The client cannot leave `env_vars` out: it only sees the answer.
        arrangeClient: ({ sandbox }) => sandbox.faults.add({ label: "PUT /env-vars", status: 400 }),
        call: (client, id) => client.envVars.upsert(id, [{ name: "NEW", value: "1", hidden: false, services: [] }]),
      },
    },
  },
  deleteVariable: {
    clientMethods: ["envVars.delete"],
    situations: {
      success: {
        variable: "PLAIN",
        call: (client, id) => client.envVars.delete(id, "PLAIN"),
        checkRaw: isEmpty,
        checkClient: isNothing,
        checkWorld: ({ world }) => expect(world.variables(ID).map(({ name }) => name)).to.deep.equal(["SECRET"]),
      },
      "unknown env var": { variable: "NOWHERE", call: (client, id) => client.envVars.delete(id, "NOWHERE") },
    },
  },
};
