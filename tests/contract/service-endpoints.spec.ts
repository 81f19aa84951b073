import { expect } from "chai";
import {
  type ApiError,
  AuthenticationError,
  ConfigError,
  InvalidRequestError,
  NotFoundError,
  type PreviewenvClient,
} from "../../provider/src/client";
import { cases, environment, ID, type Situation } from "./support/service-cases";
import { snapshotOf } from "./support/service-domain";
import { failureOf, pathOf, type ServiceStage, startService, UNKNOWN_ID, WRONG_TOKEN } from "./support/service-stage";
import { type AnswerRow, type EndpointName, endpoints } from "./support/specification";
import { ErrorBody } from "./support/specification-shapes";

const REFUSED_FROM = 400;
const names = Object.keys(endpoints).filter((name): name is EndpointName => name in endpoints);
const classes: ReadonlyMap<number, typeof ApiError> = new Map<number, typeof ApiError>([
  [400, InvalidRequestError],
  [401, AuthenticationError],
  [404, NotFoundError],
]);

/** A row of the endpoint's own, or one that is alike for all endpoints. */
function situationOf(name: EndpointName, { when }: AnswerRow): Situation {
  const { situations } = cases[name];
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
    situation.checkRaw?.(answer, stage);
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
    expectRefusal(await failureOf(situation.call(client, idOf(row))), row);
    expect(snapshotOf(stage.world)).to.deep.equal(before);
  }
  const [first] = stage.requests();
  expect(endpoints[name].methods).to.include(first?.method);
  expect([first?.path, first?.status]).to.deep.equal([path, row.status]);
}

function expectRefusal(error: unknown, { status, title }: AnswerRow): void {
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
      // Without a token there is no client: see below.
      if (row.when === "missing token") continue;
      it(`the client understands ${row.status}: ${row.when}`, () => askClient(name, row));
    }
  });
}

describe("service: the table of endpoints is complete", () => {
  it("every row has a case, and every case has a row", () => {
    const shared = ["missing token", "wrong token", "unknown environment"];
    for (const name of names) {
      const rows: readonly AnswerRow[] = endpoints[name].answers;
      const own = rows.map(({ when }) => when).filter((when) => !shared.includes(when));
      expect(Object.keys(cases[name].situations), name).to.have.members(own);
    }
    expect(Object.keys(cases)).to.have.members(names);
  });

  it("no endpoint is asked without a token: there is no client then", async () => {
    await using stage = await startService();
    expect(() => stage.clientWith("")).to.throw(ConfigError, "PREVIEWENV_API_TOKEN");
    expect(stage.requests()).to.deep.equal([]);
  });

  it("every method of the client belongs to a row", async () => {
    await using stage = await startService();
    const areas = Object.entries(stage.client).filter(([, area]) => typeof area === "object");
    const methods = areas.flatMap(([area, object]) =>
      Object.getOwnPropertyNames(Reflect.getPrototypeOf(object))
        .filter((method) => method !== "constructor")
        .map((method) => `${area}.${method}`),
    );
    expect(new Set(names.flatMap((name) => cases[name].clientMethods))).to.deep.equal(new Set(methods));
  });

  for (const path of new Set(names.map((name) => endpoints[name].path))) {
    it(`${path} takes the methods of its rows and no other`, async () => {
      await using stage = await startService();
      const rows = names.filter((name) => endpoints[name].path === path);
      const [first] = rows;
      if (first === undefined) throw new Error(`no row has the path ${path}`);
      const answer = await fetch(stage.sandbox.url + pathOf(first, ID, "A"), {
        method: "OPTIONS",
        headers: { "x-api-token": stage.sandbox.token },
      });
      const allowed = answer.headers.get("allow")?.split(", ") ?? [];
      expect(allowed).to.have.members(rows.flatMap((name) => [...endpoints[name].methods]));
    });
  }
});
