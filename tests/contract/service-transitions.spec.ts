import { expect } from "chai";
import { InvalidRequestError } from "../../provider/src/client";
import { snapshotOf } from "./support/service-domain";
import { failureOf, type RawAnswer, type ServiceStage, startService } from "./support/service-stage";
import { endpoints, type StateFlags, type TransitionName, transitions } from "./support/specification";

const names = Object.keys(transitions).filter((name): name is TransitionName => name in transitions);
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

/** What an operation has to do with an environment that allows it; the values of the flags are not shown. */
const outcomes: Readonly<Record<TransitionName, (stage: ServiceStage, id: string) => void>> = {
  stop: ({ world }, id) => expect(world.environments.get(id)?.stopped).to.equal(true),
  restart: ({ world }, id) => expect(world.environments.get(id)?.retired).to.equal(false),
  rebuild: ({ world }, id) => expect(world.builds(id)[0]?.outcome).to.equal("inFlight"),
  revive: ({ world }, id) => expect(world.environments.get(id)?.deleted).to.equal(false),
  cancel: ({ world }, id) => expect(world.builds(id)[0]?.outcome).to.equal("failed"),
};

async function askPlainly(stage: ServiceStage, name: TransitionName, state: State): Promise<boolean> {
  const id = add(stage, state);
  const before = snapshotOf(stage.world);
  const answer: RawAnswer = await stage.raw(name, { id });
  if (answer.status === 204) {
    outcomes[name](stage, id);
    return true;
  }
  expect(answer.status, describeState(state)).to.equal(400);
  expect(answer.json, describeState(state)).to.deep.equal({ errors: [{ status: 400, title: titleOf(name) }] });
  expect(snapshotOf(stage.world), describeState(state)).to.deep.equal(before);
  return false;
}

async function askClient(stage: ServiceStage, name: TransitionName, state: State, isMet: boolean): Promise<void> {
  const id = add(stage, state);
  const work = stage.client.environments.act(name, id);
  if (isMet) {
    await work;
    outcomes[name](stage, id);
    return;
  }
  const error = await failureOf(work);
  expect(error, describeState(state)).to.be.instanceOf(InvalidRequestError);
  expect(error).to.have.deep.property("titles", [titleOf(name)]);
}

for (const name of names) {
  const { condition, isMet } = transitions[name];
  describe(`service: ${name} only when ${condition}`, () => {
    it("holds for every combination of flags, with a build in flight and without", async () => {
      await using stage = await startService();
      const allowed: string[] = [];
      for (const state of STATES) {
        const asked = await askPlainly(stage, name, state);
        const expected = isMet(state, state.building) ?? asked;
        expect(asked, describeState(state)).to.equal(expected);
        await askClient(stage, name, state, expected);
        if (asked) allowed.push(describeState(state));
      }
      // A table that allows everything, or nothing, would have shown nothing.
      expect(allowed.length).to.be.within(1, STATES.length - 1);
      expect(stage.requests()).to.have.length(STATES.length * 2);
    });
  });
}

describe("service: a snapshot load and a branch change need only that the environment exists", () => {
  const projects = [{ repo_name: "web", branch: "next" }];

  for (const state of STATES) {
    it(`both succeed when it is ${describeState(state)}`, async () => {
      await using stage = await startService();
      const id = add(stage, state);
      const load = { data: { type: "snapshot-load", attributes: { sequence_number: 1 } } };
      const change = { data: { id, type: "application", attributes: { projects } } };
      expect((await stage.raw("loadSnapshot", { id, body: load })).status).to.equal(204);
      expect((await stage.raw("changeBranches", { id, body: change })).status).to.equal(200);
      await stage.client.environments.loadSnapshot(id, { sequenceNumber: 2, sourceApplicationId: id });
      await stage.client.environments.changeBranches(id, [{ repoName: "web", branch: "next" }]);
      expect(stage.world.snapshotLoads(id).map(({ sequenceNumber }) => sequenceNumber)).to.deep.equal([1, 2]);
      expect(stage.world.builds(id)).to.have.length(state.building ? 4 : 3);
    });
  }
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

  function seeded(): Promise<ServiceStage> {
    const projects = [
      { repoName: "web", branch: "main" },
      { repoName: "api", branch: "main" },
    ];
    return startService({ environments: [{ name: "shop", projects }] });
  }

  async function expectRefusal(endpoint: "loadSnapshot" | "changeBranches", body: (id: string) => unknown) {
    await using stage = await seeded();
    const before = snapshotOf(stage.world);
    const [environment] = stage.world.environments.list();
    const id = environment?.id ?? "";
    for (const method of endpoints[endpoint].methods) {
      expect((await stage.raw(endpoint, { id, method, body: body(id) })).status).to.equal(400);
    }
    expect(snapshotOf(stage.world)).to.deep.equal(before);
  }

  for (const [what, body] of Object.entries(snapshots)) {
    it(`a snapshot load with ${what} answers 400`, () => expectRefusal("loadSnapshot", () => body));
  }

  for (const [what, attributes] of Object.entries(changes)) {
    it(`a branch change with ${what} answers 400`, () =>
      expectRefusal("changeBranches", (id) => ({ data: { id, type: "application", attributes } })));
  }

  it("the client hands the refusal of a snapshot or of branches on", async () => {
    await using stage = await seeded();
    const { environments } = stage.client;
    const [environment] = stage.world.environments.list();
    const id = environment?.id ?? "";
    const attempts = [
      () => environments.loadSnapshot(id, { sequenceNumber: 1.5 }),
      () => environments.loadSnapshot(id, { sequenceNumber: 1, sourceApplicationId: "shop" }),
      () => environments.changeBranches(id, [{ repoName: "web", branch: "next" }]),
      () => environments.changeBranches(id, []),
    ];
    for (const attempt of attempts) {
      const error = await failureOf(attempt());
      expect(error).to.be.instanceOf(InvalidRequestError);
      expect(error).to.have.property("status", 400);
    }
    expect(stage.requests()).to.have.length(attempts.length);
  });
});
