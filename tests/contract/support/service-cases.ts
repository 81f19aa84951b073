import { expect } from "chai";
import type { EnvironmentSeed } from "../../../provider/src/sandbox";
import type { Answer } from "../../sandbox/caller";
import type { ServiceStage } from "./service-stage";
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

/** How one row of an endpoint's answers comes about. */
export interface Situation {
  /** Differences from `environment`. */
  readonly seed?: Partial<EnvironmentSeed>;
  readonly body?: unknown;
  readonly variable?: string;
  /** What the answer has to be. */
  checkAnswer?(answer: Answer): void;
  /** What has to be so afterwards. */
  checkWorld?(stage: ServiceStage): void;
}

/** Those rows that each endpoint answers in its own way. Wrong tokens and unknown environments are alike for all. */
export type EndpointCase = Readonly<Partial<Record<When, Situation>>>;

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

function action(
  seeds: { readonly met: Partial<EnvironmentSeed>; readonly notMet: Partial<EnvironmentSeed> },
  checkWorld: (stage: ServiceStage) => void,
): EndpointCase {
  return {
    success: { seed: seeds.met, checkAnswer: isEmpty, checkWorld },
    "condition not met": { seed: seeds.notMet },
  };
}

function isEmpty({ text }: Answer): void {
  expect(text).to.equal("");
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
    success: {
      checkAnswer: ({ json }) => {
        const [item, ...rest] = EnvironmentListBody.parse(json).data;
        expect(rest).to.deep.equal([]);
        expect(item?.links).to.deep.equal({ self: `/api/v1/application/${ID}` });
        expect(item?.attributes.projects.map((project) => project.pull_request_number)).to.deep.equal([42, null]);
      },
    },
  },
  // "Body of the 200 response: not shown."
  readEnvironment: { success: {} },
  readBuildHistory: {
    success: {
      checkAnswer: ({ json }) => {
        const { id, data } = HistoryBody.parse(json);
        expect([id, data.name, data.builds.length]).to.deep.equal([ID, "shop", 2]);
        expect(data.builds[0]?.projects.map((project) => project.pull_request_number)).to.deep.equal([42, null]);
      },
    },
  },
  stop: action({ met: {}, notMet: { stopped: true } }, ({ world }) =>
    expect(world.environments.get(ID)?.stopped).to.equal(true),
  ),
  restart: action({ met: { retired: true }, notMet: {} }, buildIsQueued),
  rebuild: action({ met: { stopped: true }, notMet: { deleted: true } }, buildIsQueued),
  revive: action({ met: { deleted: true }, notMet: { stopped: true } }, (stage) => {
    expect(stage.world.environments.get(ID)?.deleted).to.equal(false);
    buildIsQueued(stage);
  }),
  cancel: action({ met: { building: true }, notMet: {} }, ({ world }) =>
    expect(world.builds(ID)[0]?.outcome).to.equal("failed"),
  ),
  loadSnapshot: {
    success: {
      body: snapshot({ sequence_number: 7 }),
      checkAnswer: isEmpty,
      checkWorld: ({ world }) =>
        expect(world.snapshotLoads(ID).map(({ sequenceNumber }) => sequenceNumber)).to.deep.equal([7]),
    },
    "invalid input": { body: snapshot({ sequence_number: 7, source_application_id: "not-a-uuid" }) },
  },
  changeBranches: {
    success: {
      body: branches([
        { repo_name: "web", branch: "next" },
        { repo_name: "api", branch: "main" },
      ]),
      checkWorld: (stage) => {
        buildIsQueued(stage);
        const projects = stage.world.environments.get(ID)?.projects;
        expect(projects?.map(({ branch }) => branch)).to.deep.equal(["next", "main"]);
      },
    },
    // "The array must contain a repo/branch entry for every repo already in the environment."
    "invalid input": { body: branches([{ repo_name: "web", branch: "next" }]) },
  },
  listVariables: {
    success: {
      checkAnswer: ({ json }) => {
        const { data, included } = VariableListBody.parse(json);
        const shown = data.map(({ attributes }) => [attributes.name, attributes.value, attributes.services]);
        expect(shown).to.deep.equal([
          ["PLAIN", "on", ["web"]],
          ["SECRET", MASKED, []],
        ]);
        expect(included.inherited).to.have.length(1);
      },
    },
  },
  writeVariables: {
    success: {
      body: { env_vars: [{ name: "NEW", value: "1", hidden: false, services: null }] },
      checkAnswer: ({ json }) => expect(UpsertBody.parse(json).data[0]?.attributes.name).to.equal("NEW"),
      checkWorld: ({ world }) => expect(world.variable(ID, "NEW")).to.include({ value: "1", hidden: false }),
    },
    "partial failure": {
      body: { env_vars: [{ value: "nameless" }, { name: "NEW", value: "1", hidden: false }] },
      checkAnswer: ({ json }) => {
        const { data, errors } = PartialUpsertBody.parse(json);
        expect(data.map(({ attributes }) => attributes.name)).to.deep.equal(["NEW"]);
        expect(errors.map(({ name }) => name)).to.deep.equal([null]);
        expect(errors[0]?.error).to.match(MISSING_FIELD);
      },
      checkWorld: ({ world }) => expect(world.variables(ID).map(({ name }) => name)).to.include("NEW"),
    },
    "invalid input": { body: { env_vars: "NEW=1" } },
  },
  deleteVariable: {
    success: {
      variable: "PLAIN",
      checkAnswer: isEmpty,
      checkWorld: ({ world }) => expect(world.variables(ID).map(({ name }) => name)).to.deep.equal(["SECRET"]),
    },
    "unknown env var": { variable: "NOWHERE" },
  },
};
