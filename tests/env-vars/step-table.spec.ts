import { expect } from "chai";
import { EXISTING, placeholder } from "../../provider/src/env-vars/placeholder";
import { type Facts, rowFor, TABLE } from "../../provider/src/env-vars/step-table";
import * as calls from "../../provider/src/framework/engine-calls";
import type { Properties } from "../../provider/src/framework/properties";
import { findResource } from "../../provider/src/resources";
import { ENVIRONMENT_ID, onProcessStage, type ProcessStage } from "../support/process-stage";

/** The variable A as a program declares it. */
interface Declared {
  readonly value: string;
  readonly hidden?: boolean;
}

/** How a row comes about, and what the service gets then. */
interface Case {
  readonly facts: Facts;
  /** An earlier run declared it. */
  readonly earlier?: Declared;
  /** The answer to that write did not mention it. */
  readonly isUnanswered?: true;
  /** An import of this run found it. */
  readonly isImported?: true;
  /** What others do in between. */
  readonly meanwhile?: (stage: ProcessStage) => void;
  /** Left out: nothing is declared. */
  readonly now?: Declared;
  readonly requests: readonly string[];
  /** In the error, or in the reason why it is not finished. */
  readonly refused?: string;
  /** A warning has it. */
  readonly warned?: string;
  /** What state has of it in the end. Left out: nothing. */
  readonly state?: string;
}

const [GET, PUT, DELETE] = ["GET /env-vars", "PUT /env-vars", "DELETE /env-vars"];
const ours = { value: "ours" };
const left = { value: EXISTING };
const unread = "unread";

const setByOthers =
  (variable: { value?: string; hidden?: boolean; services?: string[] } = {}) =>
  ({ sandbox, clock }: ProcessStage): void => {
    clock.advance(5_000);
    sandbox.world.setVariable(ENVIRONMENT_ID, { name: "A", value: "theirs", hidden: false, ...variable });
  };
const names = ({ context }: ProcessStage) => context().environment(ENVIRONMENT_ID).names;

const newValue = { stored: "nothing", declared: "value" } as const;
const existing = { stored: "nothing", declared: "existing" } as const;
const dropped = { stored: "other", declared: "nothing" } as const;

const cases: readonly Case[] = [
  { facts: { ...newValue, stored: "same", found: unread }, earlier: ours, now: ours, requests: [], state: "ours" },
  {
    facts: { ...newValue, stored: "other", found: unread },
    earlier: { value: "old" },
    now: ours,
    requests: [PUT],
    state: "ours",
  },
  { facts: { ...newValue, found: "missing" }, now: ours, requests: [GET, PUT], state: "ours" },
  {
    facts: { ...newValue, found: "overwritable" },
    meanwhile: (stage) => {
      setByOthers()(stage);
      names(stage).noteSeen(["A"]);
    },
    now: ours,
    requests: [GET, PUT],
    state: "ours",
  },
  {
    facts: { ...newValue, found: "same" },
    meanwhile: setByOthers({ value: "ours" }),
    now: ours,
    requests: [GET],
    state: "ours",
  },
  {
    facts: { ...newValue, found: "masked" },
    meanwhile: setByOthers({ value: "ours", hidden: true }),
    now: { ...ours, hidden: true },
    requests: [GET, PUT],
    warned: "takes it over and writes it",
    state: "ours",
  },
  // A create that was killed has left it, and the service trims values.
  {
    facts: { ...newValue, found: "masked" },
    meanwhile: setByOthers({ value: "a-long-value", hidden: true }),
    now: { value: "a-long-value\n", hidden: true },
    requests: [GET, PUT],
    warned: "takes it over and writes it",
    state: "a-long-value\n",
  },
  {
    facts: { ...newValue, found: "other" },
    meanwhile: setByOthers(),
    now: ours,
    requests: [GET],
    refused: "with another value than declared: A",
  },
  {
    facts: { stored: "nothing", declared: "placeholder", found: unread },
    now: { value: placeholder("", "***") },
    requests: [],
    refused: "its value is not known",
  },
  { facts: { ...existing, found: "missing" }, now: left, requests: [GET], refused: "does not have it" },
  {
    facts: { ...existing, found: "same" },
    meanwhile: setByOthers(),
    now: left,
    requests: [GET],
    state: EXISTING,
  },
  {
    facts: { ...existing, found: "unchangeable" },
    meanwhile: setByOthers({ hidden: true, services: ["web"] }),
    now: { ...left, hidden: true },
    requests: [GET],
    refused: "cannot be changed",
  },
  {
    facts: { ...existing, found: "other" },
    meanwhile: setByOthers({ services: ["web"] }),
    now: left,
    requests: [GET, PUT],
    state: EXISTING,
  },
  {
    facts: { ...dropped, stored: "existing", found: unread },
    earlier: left,
    requests: [],
  },
  {
    facts: { ...dropped, stored: "imported", found: unread },
    meanwhile: setByOthers(),
    isImported: true,
    requests: [],
  },
  {
    facts: { ...dropped, found: "inUse" },
    earlier: ours,
    meanwhile: (stage) => names(stage).noteWritten(["A"]),
    requests: [],
  },
  {
    facts: { ...dropped, found: "changed" },
    earlier: ours,
    meanwhile: setByOthers(),
    requests: [GET],
    warned: "written since",
  },
  {
    facts: { ...dropped, found: "missing" },
    earlier: ours,
    meanwhile: ({ sandbox }) => sandbox.world.remove(ENVIRONMENT_ID),
    requests: [GET],
    warned: "does not exist (any more)",
  },
  {
    facts: { ...dropped, found: "otherForm" },
    earlier: ours,
    isUnanswered: true,
    meanwhile: ({ sandbox }) => {
      sandbox.world.deleteVariable(ENVIRONMENT_ID, "A");
      sandbox.world.setVariable(ENVIRONMENT_ID, { name: "a", value: "ours", hidden: false });
    },
    requests: [GET],
    warned: "under another form of its name",
  },
  {
    facts: { ...dropped, found: "unlisted" },
    earlier: ours,
    meanwhile: ({ sandbox }) => void sandbox.world.deleteVariable(ENVIRONMENT_ID, "A"),
    requests: [GET, DELETE],
  },
  { facts: { ...dropped, found: "other" }, earlier: ours, requests: [GET, DELETE] },
];

/** How each type declares A, or declares it no more, and where its state has the value. */
const types = {
  EnvVarSet: {
    id: ENVIRONMENT_ID,
    declare: (one: Declared | undefined): Properties => {
      const map = one && { A: one.value };
      return one?.hidden === true ? { secrets: map } : { variables: map ?? {} };
    },
    valueIn: ({ variables, secrets }: Properties): unknown =>
      Object.values({ ...asMap(variables), ...asMap(secrets) })[0],
  },
  EnvVar: {
    id: `${ENVIRONMENT_ID}/A`,
    declare: (one: Declared | undefined): Properties => ({ name: "A", hidden: false, ...one }),
    valueIn: ({ value }: Properties): unknown => value,
  },
} as const;

function asMap(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

type Type = keyof typeof types;

describe("TABLE", () => {
  it("has a row for each way in which state, program and list come together, and no row that nothing reaches", () => {
    const found = {
      value: ["missing", "overwritable", "same", "masked", "other"],
      existing: ["missing", "same", "unchangeable", "other"],
    } as const;
    const declared: readonly Facts[] = (["nothing", "same", "other"] as const).flatMap((stored) => [
      { stored, declared: "placeholder", found: unread },
      ...(["value", "existing"] as const).flatMap((kind) =>
        ([unread, ...found[kind]] as const).map((fact) => ({ stored, declared: kind, found: fact })),
      ),
    ]);
    const others: readonly Facts[] = (["other", "existing", "imported"] as const).flatMap((stored) =>
      ([unread, "inUse", "changed", "missing", "unlisted", "otherForm", "other"] as const).map((fact) => ({
        stored,
        declared: "nothing",
        found: fact,
      })),
    );
    const reached = new Set([...declared, ...others].map(rowFor));
    expect([...reached]).to.have.members(TABLE);
  });

  it("is played below row by row", () => {
    const looks = cases.map(({ facts }) => rowFor({ ...facts, found: unread }));
    const played = new Set([...looks, ...cases.map(({ facts }) => rowFor(facts))]);
    expect([...played]).to.have.members(TABLE);
  });

  for (const type of ["EnvVarSet", "EnvVar"] as const)
    for (const one of cases) {
      const { stored, declared, found } = one.facts;
      it(`${stored} / ${declared} / ${found}: ${rowFor(one.facts).action}: ${type}`, () =>
        onProcessStage((stage) => play(type, one, stage)));
    }
});

async function play(type: Type, one: Case, stage: ProcessStage): Promise<void> {
  const { declared, restart, sandbox } = stage;
  const resource = findResource(type);
  const { id, declare, valueIn } = types[type];
  if (one.earlier?.value === EXISTING) setByOthers()(stage);
  if (one.isUnanswered) sandbox.faults.add({ unmentioned: ["A"] });
  let old = one.earlier && (await calls.create(resource, stage.context(), declared(type, declare(one.earlier)))).state;
  await restart();
  one.meanwhile?.(stage);
  if (one.isImported) old = (await calls.importExisting(resource, stage.context(), id))?.state;
  const mark = sandbox.journal.mark();
  const warnings: string[] = [];
  const context = stage.context();
  const ctx = { ...context, log: { ...context.log, warn: (text: string) => void warnings.push(text) } };
  const change = async () => {
    const isDropped = one.now === undefined && type === "EnvVar";
    const news = declared(type, declare(one.now));
    if (isDropped) return calls.remove(resource, ctx, id, old ?? {});
    return old === undefined ? calls.create(resource, ctx, news) : calls.update(resource, ctx, id, news, old);
  };
  const outcome = await change().catch((error: unknown) => ({ state: {}, unfinishedReasons: [String(error)] }));
  const { state = {}, unfinishedReasons = [] } = outcome ?? {};
  const requests = sandbox.journal.since(mark).map(({ label }) => label);
  expect(requests.filter((label) => label.endsWith("/env-vars"))).to.deep.equal(one.requests);
  expect(unfinishedReasons.join()).to.contain(one.refused ?? "");
  expect(unfinishedReasons).to.have.length(one.refused === undefined ? 0 : 1);
  expect(warnings.join()).to.contain(one.warned ?? "");
  expect(warnings).to.have.length(one.warned === undefined ? 0 : 1);
  expect(valueIn(state)).to.equal(one.state);
}
