import { expect } from "chai";
import { ApiError, InvalidRequestError, NotFoundError, type PreviewenvClient } from "../../provider/src/client";
import { failure } from "../client/support/samples";
import { cases, environment, ID, type Situation } from "./support/service-cases";
import { pathOf, snapshotOf, type ServiceStage, startService, UNKNOWN_ID, WRONG_TOKEN } from "./support/service-stage";
import {
  type AnswerRow,
  type EndpointName,
  endpoints,
  type TransitionName,
  transitions,
} from "./support/specification";
import { ErrorBody } from "./support/specification-shapes";

const REFUSED_FROM = 400;
const names = Object.keys(endpoints).filter((name): name is EndpointName => name in endpoints);
const classes: ReadonlyMap<number, typeof ApiError> = new Map<number, typeof ApiError>([
  [400, InvalidRequestError],
  [401, ApiError],
  [404, NotFoundError],
]);

/** A row of the endpoint's own, or one that is alike for all endpoints. */
function situationOf(name: EndpointName, { when }: AnswerRow): Situation {
  const situations = cases[name];
  const shared = ["missing token", "wrong token", "unknown environment"].includes(when);
  const situation = shared ? situations.success : situations[when];
  if (situation === undefined) throw new Error(`The specification's row "${name}: ${when}" has no case.`);
  return situation;
}

function start({ seed }: Situation): Promise<ServiceStage> {
  return startService({ environments: [{ ...environment, ...seed }] });
}

function idOf({ when }: AnswerRow): string {
  return when === "unknown environment" ? UNKNOWN_ID : ID;
}

function tokenOf({ when }: AnswerRow): { token?: string | undefined } {
  if (when === "missing token") return { token: undefined };
  return when === "wrong token" ? { token: WRONG_TOKEN } : {};
}

async function askPlainly(name: EndpointName, method: string, row: AnswerRow): Promise<void> {
  const situation = situationOf(name, row);
  const { body, variable = "" } = situation;
  await using stage = await start(situation);
  const before = snapshotOf(stage.world);
  const answer = await stage.raw(name, { method, id: idOf(row), variable, body, ...tokenOf(row) });
  expect(answer.status).to.equal(row.status);
  const sent = stage.requests().map((request) => [request.method, request.path, request.status]);
  expect(sent).to.deep.equal([[method, pathOf(name, idOf(row), variable), row.status]]);
  if (row.status < REFUSED_FROM) {
    situation.checkRaw?.(answer);
    situation.checkWorld?.(stage);
    return;
  }
  expect(answer.contentType).to.match(/^application\/json\b/u);
  const [{ status, title }] = ErrorBody.parse(answer.json).errors;
  expect(status).to.equal(row.status);
  if (row.title !== undefined) expect(title).to.equal(row.title);
  expect(snapshotOf(stage.world)).to.deep.equal(before);
}

function clientFor(stage: ServiceStage, { when }: AnswerRow): PreviewenvClient {
  return when === "wrong token" ? stage.clientWith(WRONG_TOKEN) : stage.client;
}

async function askClient(name: EndpointName, row: AnswerRow): Promise<void> {
  const situation = situationOf(name, row);
  await using stage = await start(situation);
  situation.arrangeClient?.(stage);
  const before = snapshotOf(stage.world);
  const client = clientFor(stage, row);
  const path = pathOf(name, idOf(row), situation.variable ?? "");
  if (row.status < REFUSED_FROM) {
    situation.checkClient?.(await situation.call(client, idOf(row)), stage);
    situation.checkWorld?.(stage);
  } else {
    expectError(await failure(situation.call(client, idOf(row))), row);
    expect(snapshotOf(stage.world)).to.deep.equal(before);
  }
  const [first] = stage.requests();
  expect(endpoints[name].methods).to.include(first?.method);
  expect([first?.path, first?.status]).to.deep.equal([path, row.status]);
}

function expectError(error: unknown, { status, title }: AnswerRow): void {
  const Class = classes.get(status);
  if (Class === undefined) throw new Error(`no class is known for ${status}`);
  if (!(error instanceof Class)) throw new Error(`expected a ${Class.name} and got ${String(error)}`);
  expect(error.status).to.equal(status);
  expect(error.titles).to.have.length(1);
  if (title !== undefined) expect(error.titles).to.deep.equal([title]);
  expect(error.message).to.include(`the service answered ${status}: "${error.titles[0]}"`);
  expect(error.message).not.to.include(WRONG_TOKEN);
}

for (const name of names) {
  const { methods, answers }: (typeof endpoints)[EndpointName] = endpoints[name];
  describe(`service: ${name}`, () => {
    for (const row of answers) {
      for (const method of methods) {
        it(`${method} answers ${row.status}: ${row.when}`, () => askPlainly(name, method, row));
      }
      // Without a token there is no client: tests/client/hostile-inputs.spec.ts.
      if (row.when === "missing token") continue;
      it(`the client understands ${row.status}: ${row.when}`, () => askClient(name, row));
    }
  });
}

const transitionNames = Object.keys(transitions).filter((name): name is TransitionName => name in transitions);
const both = [false, true];
const STATES = both.flatMap((stopped) =>
  both.flatMap((retired) =>
    both.flatMap((deleted) => both.map((building) => ({ stopped, retired, deleted, building }))),
  ),
);

function add({ world }: ServiceStage, state: (typeof STATES)[number]): string {
  return world.environments.add({ name: "shop", projects: [{ repoName: "web", branch: "main" }], ...state }).id;
}

/** What an operation has to do with an environment that allows it. The values of the flags are not shown. */
const outcomes: Readonly<Record<TransitionName, (stage: ServiceStage, id: string) => void>> = {
  stop: ({ world }, id) => expect(world.environments.get(id)?.stopped).to.equal(true),
  restart: (stage, id) => isBuilt(stage, id, "retired"),
  rebuild: (stage, id) => isBuilt(stage, id),
  revive: (stage, id) => isBuilt(stage, id, "deleted"),
  cancel: ({ world }, id) => expect(world.builds(id)[0]?.outcome).to.equal("failed"),
};

function isBuilt({ world }: ServiceStage, id: string, without?: "retired" | "deleted"): void {
  expect(world.builds(id)[0]?.outcome).to.equal("inFlight");
  if (without !== undefined) expect(world.environments.get(id)).to.include({ [without]: false });
}

describe("service: operations in every combination of flags, with a build in flight and without", () => {
  for (const name of transitionNames) {
    const { condition, isMet } = transitions[name];
    it(`${name} only when ${condition}`, async () => {
      await using stage = await startService();
      let allowed = 0;
      for (const state of STATES) {
        const what = JSON.stringify(state);
        const id = add(stage, state);
        const before = snapshotOf(stage.world);
        const { status } = await stage.raw(name, { id });
        expect(status, what).to.be.oneOf([204, 400]);
        expect(status === 204, what).to.equal(isMet(state, state.building) ?? status === 204);
        if (status === 204) {
          outcomes[name](stage, id);
          allowed += 1;
        } else expect(snapshotOf(stage.world), what).to.deep.equal(before);
      }
      // A table that allows everything, or nothing, would have shown nothing.
      expect(allowed).to.be.within(1, STATES.length - 1);
    });
  }
});

describe("service: a snapshot load and a branch change", () => {
  it("need only that the environment exists, whatever its flags", async () => {
    await using stage = await startService();
    const projects = [{ repo_name: "web", branch: "next" }];
    for (const state of STATES) {
      const id = add(stage, state);
      const load = { data: { type: "snapshot-load", attributes: { sequence_number: 1 } } };
      const change = { data: { id, type: "application", attributes: { projects } } };
      expect((await stage.raw("loadSnapshot", { id, body: load })).status, JSON.stringify(state)).to.equal(204);
      expect((await stage.raw("changeBranches", { id, body: change })).status, JSON.stringify(state)).to.equal(200);
      expect(stage.world.snapshotLoads(id)).to.have.length(1);
      expect(stage.world.builds(id)).to.have.length(state.building ? 3 : 2);
    }
  });
});

describe("service: invalid input", () => {
  const web = { repo_name: "web", branch: "next" };
  const api = { repo_name: "api", branch: "next" };
  const snapshots: Readonly<Record<string, unknown>> = {
    "no sequence_number": { data: { type: "snapshot-load", attributes: {} } },
    "a sequence_number that is a text": { data: { type: "snapshot-load", attributes: { sequence_number: "1" } } },
    "a sequence_number that is a fraction": { data: { type: "snapshot-load", attributes: { sequence_number: 1.5 } } },
    "a source that is no UUID": {
      data: { type: "snapshot-load", attributes: { sequence_number: 1, source_application_id: "shop" } },
    },
    "another type": { data: { type: "application", attributes: { sequence_number: 1 } } },
    "no attributes": { data: { type: "snapshot-load" } },
    "no data": {},
  };
  const changes: Readonly<Record<string, unknown>> = {
    "a repository missing": { projects: [web] },
    "no projects": {},
    "projects that are no array": { projects: web },
    "a project without branch": { projects: [api, { repo_name: "web" }] },
    "a project without repo_name": { projects: [web, api, { branch: "next" }] },
  };

  async function expectRefusal(endpoint: "loadSnapshot" | "changeBranches", body: unknown) {
    const projects = ["web", "api"].map((repoName) => ({ repoName, branch: "main" }));
    await using stage = await startService({ environments: [{ id: ID, name: "shop", projects }] });
    const before = snapshotOf(stage.world);
    for (const method of endpoints[endpoint].methods)
      expect((await stage.raw(endpoint, { id: ID, method, body })).status).to.equal(400);
    expect(snapshotOf(stage.world)).to.deep.equal(before);
  }

  for (const [what, body] of Object.entries(snapshots))
    it(`a snapshot load with ${what} answers 400`, () => expectRefusal("loadSnapshot", body));

  for (const [what, attributes] of Object.entries(changes))
    it(`a branch change with ${what} answers 400`, () =>
      expectRefusal("changeBranches", { data: { id: ID, type: "application", attributes } }));
});
