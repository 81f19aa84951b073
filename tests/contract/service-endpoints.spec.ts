import { expect } from "chai";
import { cases, environment, ID, type Situation } from "./support/service-cases";
import { pathOf, snapshotOf, type ServiceStage, startService, UNKNOWN_ID, WRONG_TOKEN } from "./support/service-stage";
import {
  type AnswerRow,
  type EndpointName,
  endpoints,
  type StateFlags,
  type TransitionName,
  transitions,
} from "./support/specification";
import { ErrorBody } from "./support/specification-shapes";

const REFUSED_FROM = 400;
const names = Object.keys(endpoints).filter((name): name is EndpointName => name in endpoints);

/** A row of the endpoint's own, or one that is alike for all endpoints. */
function situationOf(name: EndpointName, { when }: AnswerRow): Situation {
  const shared = ["missing token", "wrong token", "unknown environment"].includes(when);
  const situation = cases[name][shared ? "success" : when];
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

async function ask(name: EndpointName, method: string, row: AnswerRow): Promise<void> {
  const situation = situationOf(name, row);
  const { body, variable = "" } = situation;
  await using stage = await start(situation);
  const before = snapshotOf(stage.world);
  const answer = await stage.raw(name, { method, id: idOf(row), variable, body, ...tokenOf(row) });
  expect(answer.status).to.equal(row.status);
  const sent = stage.requests().map((request) => [request.method, request.path, request.status]);
  expect(sent).to.deep.equal([[method, pathOf(name, idOf(row), variable), row.status]]);
  if (row.status < REFUSED_FROM) {
    situation.checkAnswer?.(answer);
    situation.checkWorld?.(stage);
    return;
  }
  expect(answer.headers.get("content-type")).to.match(/^application\/json\b/u);
  const [{ status, title }] = ErrorBody.parse(answer.json).errors;
  expect(status).to.equal(row.status);
  if (row.title !== undefined) expect(title).to.equal(row.title);
  expect(snapshotOf(stage.world)).to.deep.equal(before);
}

for (const name of names) {
  const { methods, answers }: (typeof endpoints)[EndpointName] = endpoints[name];
  describe(`service: ${name}`, () => {
    for (const row of answers) {
      for (const method of methods) {
        it(`${method} answers ${row.status}: ${row.when}`, () => ask(name, method, row));
      }
    }
  });
}

const transitionNames = Object.keys(transitions).filter((name): name is TransitionName => name in transitions);
const both = [false, true];
const FLAGS: readonly StateFlags[] = both.flatMap((stopped) =>
  both.flatMap((retired) => both.map((deleted) => ({ stopped, retired, deleted }))),
);

interface State extends StateFlags {
  readonly building: boolean;
}

const STATES: readonly State[] = FLAGS.flatMap((flags) => both.map((building) => ({ ...flags, building })));

function titleOf(name: TransitionName): string {
  const refusal = endpoints[name].answers.find(({ when }) => when === "condition not met");
  if (refusal?.title === undefined) throw new Error(`the table gives ${name} no title`);
  return refusal.title;
}

function describeState(state: State): string {
  const { stopped, retired, deleted, building } = state;
  const flags = Object.entries({ stopped, retired, deleted, building }).filter(([, isSet]) => isSet);
  return flags.map(([flag]) => flag).join(", ") || "running";
}

function add({ world }: ServiceStage, state: State): string {
  return world.environments.add({ name: "shop", projects: [{ repoName: "web", branch: "main" }], ...state }).id;
}

async function actPlainly(stage: ServiceStage, name: TransitionName, state: State): Promise<boolean> {
  const id = add(stage, state);
  const before = snapshotOf(stage.world);
  const answer = await stage.raw(name, { id });
  if (answer.status === 204) return true;
  expect(answer.status, describeState(state)).to.equal(400);
  expect(answer.json, describeState(state)).to.deep.equal({ errors: [{ status: 400, title: titleOf(name) }] });
  expect(snapshotOf(stage.world), describeState(state)).to.deep.equal(before);
  return false;
}

for (const name of transitionNames) {
  const { condition, isMet } = transitions[name];
  describe(`service: ${name} only when ${condition}`, () => {
    it("holds for every combination of flags, with a build in flight and without", async () => {
      await using stage = await startService();
      const allowed: string[] = [];
      for (const state of STATES) {
        const asked = await actPlainly(stage, name, state);
        expect(asked, describeState(state)).to.equal(isMet(state, state.building) ?? asked);
        if (asked) allowed.push(describeState(state));
      }
      // A table that allows everything, or nothing, would have shown nothing.
      expect(allowed.length).to.be.within(1, STATES.length - 1);
    });
  });
}

describe("service: a snapshot load and a branch change", () => {
  it("need only that the environment exists, whatever its flags", async () => {
    await using stage = await startService();
    const projects = [{ repo_name: "web", branch: "next" }];
    for (const state of STATES) {
      const id = add(stage, state);
      const load = { data: { type: "snapshot-load", attributes: { sequence_number: 1 } } };
      const change = { data: { id, type: "application", attributes: { projects } } };
      expect((await stage.raw("loadSnapshot", { id, body: load })).status, describeState(state)).to.equal(204);
      expect((await stage.raw("changeBranches", { id, body: change })).status, describeState(state)).to.equal(200);
      expect(stage.world.snapshotLoads(id)).to.have.length(1);
      expect(stage.world.builds(id)).to.have.length(state.building ? 3 : 2);
    }
  });
});
