import { expect } from "chai";
import { PreviewenvClient } from "../../provider/src/client";
import type { Environment, EnvironmentFilters } from "../../provider/src/client/environments";
import { ResponseShapeError, toApiError } from "../../provider/src/client/errors";
import type { FunctionContext } from "../../provider/src/framework/function";
import { getEnvironment } from "../../provider/src/functions/get-environment";
import { CLIENT } from "../client/support/samples";
import { TestClock } from "../support/test-clock";
import { failureOf, startService } from "./service";

const ID = "11111111-1111-4111-8111-111111111142";

function environment(changes: Partial<Environment> = {}): Environment {
  return {
    id: ID,
    name: "shop-pr-42",
    url: "https://shop-pr-42.preview.example",
    processing: false,
    ready: true,
    retired: false,
    deleted: false,
    stopped: false,
    projects: [
      { repoName: "web", orgName: "acme", branch: "feature/x", commitHash: "c1", pullRequestNumber: 42 },
      { repoName: "api", orgName: "acme", branch: "main", commitHash: "c2" },
    ],
    bypassToken: "bypass-secret",
    ...changes,
  };
}

function refusal(status: number): Error {
  const details = { status, titles: ["Refused"] };
  return toApiError(`the service answered ${status}`, details);
}

function unasked(): never {
  throw new Error("getEnvironment asks for environments only");
}

/** A service that answers each look with the next item. The last one again and again. */
function serviceOf(...answers: readonly (readonly Environment[] | Error)[]) {
  const clock = new TestClock();
  const looks: (EnvironmentFilters | string)[] = [];
  const lines: string[] = [];
  const next = (look: EnvironmentFilters | string): readonly Environment[] => {
    const answer = answers[Math.min(looks.length, answers.length - 1)] ?? [];
    looks.push(look);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const client = new PreviewenvClient(CLIENT);
  Object.assign(client.environments, {
    // oxlint-disable-next-line typescript/require-await -- as in the client
    async *list(filters: EnvironmentFilters = {}) {
      yield* next(filters);
    },
    // oxlint-disable-next-line typescript/require-await -- as in the client
    async get(id: string): Promise<Environment> {
      const [found] = next(id);
      if (found === undefined) throw refusal(404);
      return found;
    },
  });
  Object.assign(client.builds, { list: unasked });
  Object.assign(client.envVars, { list: unasked });
  const context: FunctionContext = {
    client,
    clock,
    log: { info: () => undefined, warn: () => undefined, status: (text) => lines.push(text) },
  };
  const call = (args: Record<string, unknown>) => getEnvironment.invoke(context, args);
  return { call, context, looks, lines, clock };
}

describe("getEnvironment", () => {
  it("lists what matched when that is more than one", async () => {
    const { call } = serviceOf([environment(), environment({ id: "two", name: "bad\u001b[31m\nname" })]);

    expect(await failureOf(call({ repoName: "web" }))).to.equal(
      [
        'getEnvironment: 2 environments match repoName "web":',
        `  - shop-pr-42 (${ID}): web@feature/x#42, api@main`,
        "  - bad name (two): web@feature/x#42, api@main",
        "Give more filters, or the id.",
      ].join("\n"),
    );
  });

  it("names filters and waitSeconds when nothing matched, without waiting", async () => {
    const { call, looks, clock } = serviceOf([]);
    const start = clock.now();

    expect(await failureOf(call({ name: "x", deleted: false }))).to.equal(
      'getEnvironment: no environment matched name "x", deleted false. Check the filters, and that the token belongs ' +
        "to the organization. If the service is still creating the environment, set `waitSeconds`. If it is gone for good, remove it from the program.",
    );
    expect(looks, "then deleted ones, then a suggestion").to.deep.equal([
      { name: "x", deleted: false },
      { name: "x", deleted: true },
      { deleted: false },
    ]);
    expect(clock.now()).to.equal(start);
  });

  it("suggests the name of an environment or a repository that is there, when nothing matched", async () => {
    const { call } = serviceOf([environment()]);
    const suggested = async (args: Record<string, unknown>): Promise<string> => await failureOf(call(args));

    expect(await suggested({ name: "shop-pr42" })).to.match(/Did you mean "shop-pr-42"\?$/u);
    expect(await suggested({ repoName: "wbe" })).to.match(/Did you mean "web"\?$/u);
    expect(await suggested({ name: "something else" })).not.to.contain("Did you mean");
    expect(await suggested({ repoName: "web", branch: "nowhere" })).not.to.contain("Did you mean");
  });

  it("shows what was given, unless an argument is a secret", async () => {
    const { context } = serviceOf([]);
    const refused = (hasSecretArguments: boolean): Promise<string> =>
      failureOf(getEnvironment.invoke({ ...context, hasSecretArguments }, { id: "hunter2-hunter2" }));

    expect(await refused(false)).to.contain('must be a UUID, but is "hunter2-hunter2"');
    expect(await refused(true))
      .to.contain("must be a UUID")
      .and.not.to.contain("hunter2");
  });

  it("shows no filter, and nothing that matches, when an argument is a secret", async () => {
    const filters = { name: "hunter2-hunter2", waitSeconds: 6 };
    const [one, deleted] = [environment({ name: filters.name }), environment({ name: filters.name, deleted: true })];
    const other = { ...one, id: ID.replace("42", "43") };
    for (const answers of [[[]], [[one, other]], [[], [deleted]]] as const) {
      const { context, lines, looks } = serviceOf(...answers);
      const message = await failureOf(getEnvironment.invoke({ ...context, hasSecretArguments: true }, filters));
      expect(message).to.contain("the given name (not shown, because an argument is a secret)");
      if (answers.length > 1) expect(message).to.contain("What matches is deleted");
      for (const text of [message, ...lines]) expect(text).not.to.contain("hunter2");
      expect(looks.at(-1)).to.include({ name: filters.name });
    }
  });

  it("says that what matches is deleted, at once and at the end, and waits on: it may be revived", async () => {
    const closed = environment({ name: "shop-pr-9", deleted: true });
    const args = { repoName: "web", pullRequestNumber: 42 };
    const atOnce = await failureOf(serviceOf([], [closed]).call(args));
    expect(atOnce).to.equal(
      [
        'getEnvironment: no environment matched repoName "web", pullRequestNumber 42. What matches is deleted, as after its pull request was closed:',
        `  - shop-pr-9 (${ID}): web@feature/x#42, api@main`,
        'Revive it with an EnvironmentState that has the id as text and whose state is "running", or in the dashboard, remove it from the program, or add `deleted: true` to find it.',
      ].join("\n"),
    );

    const { context, clock } = serviceOf([], [closed]);
    const start = clock.now();
    const told: string[] = [];
    const log = { ...context.log, info: (text: string) => told.push(text) };
    const late = getEnvironment.invoke({ ...context, log }, { ...args, waitSeconds: 10 });
    expect(await failureOf(late))
      .to.include("within 10 s. What matches is deleted")
      .and.to.include("shop-pr-9");
    expect(clock.now() - start).to.equal(10_000);
    expect(told).to.have.lengthOf(1);
    expect(told[0]).to.include("shop-pr-9");

    expect((await serviceOf([], [closed], [environment()]).call({ ...args, waitSeconds: 10 })).id).to.equal(ID);
  });

  it("keeps names from messages of the run that were found with a secret", async () => {
    await using service = await startService({
      environments: [{ id: ID, name: "hunter2-hunter2", projects: [{ repoName: "web", branch: "main" }] }],
    });
    const { context } = service;
    const secret = { ...context, hasSecretArguments: true };
    expect((await getEnvironment.invoke(secret, { name: "hunter2-hunter2" })).id).to.equal(ID);
    expect(context.client.titleOf(ID)).to.equal(ID);
    await getEnvironment.invoke(context, { name: "hunter2-hunter2" });
    expect(context.client.titleOf(ID)).to.equal(`hunter2-hunter2 (${ID})`);
  });

  for (const given of [{ id: ID }, { repoName: "web" }]) {
    const waiting = { ...given, waitSeconds: 60 };
    const service = Object.keys(given).join();

    it(`waits on, by ${service}, after nothing, 500, 503 and answers of another shape, and names the trouble when the time is up`, async () => {
      for (const trouble of [[], refusal(500), refusal(503), new ResponseShapeError("not as documented")])
        expect((await serviceOf(trouble, trouble, [environment()]).call(waiting)).id).to.equal(ID);
      expect(await failureOf(serviceOf([], refusal(500)).call(waiting)))
        .to.include("within 60 s.")
        .and.to.match(/For the last \d\d s .* 500/u);
    });

    it(`does not wait, by ${service}, after 401 and 403, nor when it is not asked to`, async () => {
      for (const [args, status] of [
        [waiting, 401],
        [waiting, 403],
        [given, 500],
        [given, 503],
      ] as const) {
        const { call, looks } = serviceOf(refusal(status));
        expect(await failureOf(call(args)))
          .to.include(String(status))
          .and.not.to.include("For the last");
        expect(looks).to.have.lengthOf(1);
      }
    });
  }

  it("fails as the service did when an id is not there in time, and says to wait longer for a name", async () => {
    expect(await failureOf(serviceOf([]).call({ id: ID, waitSeconds: 5 }))).to.include("404");
    expect(await failureOf(serviceOf([]).call({ name: "never", waitSeconds: 5 }))).to.include("raise `waitSeconds`");
  });

  for (const [args, text] of [
    [{}, "getEnvironment: give `id` or at least one filter"],
    [{ waitSeconds: 5 }, "give `id` or at least one filter"],
    [{ name: undefined }, "give `id` or at least one filter"],
    [{ id: ID, name: "x" }, "getEnvironment: id cannot be combined with filters: leave it out, or leave out name"],
    [{ id: "42" }, 'id must be a UUID, but is "42"'],
    [{ name: "x", waitSeconds: -1 }, "waitSeconds must be at least 0, but is -1"],
    [{ name: "" }, "name must not be empty"],
    [{ pullRequestNumber: "42" }, "pullRequestNumber must be a number"],
    [{ repo: "web" }, 'getEnvironment: repo is not an argument of this function. Did you mean "repoName"?'],
  ] as const)
    it(`refuses ${JSON.stringify(args)} before any request`, async () => {
      const { call, looks } = serviceOf([environment()]);

      expect(await failureOf(call(args))).to.include(text);
      expect(looks).to.deep.equal([]);
    });
});
