import { inspect } from "node:util";
import { expect } from "chai";
import { InvalidRequestError, NotFoundError, ResponseShapeError } from "../../provider/src/client/errors";
import { clientOf, envVarItem, failure, ID, OTHER_ID, TOKEN } from "./support/samples";
import { startScript } from "./support/scripted-server";

const secret = { name: "PASSWORD", value: "hunter2-hunter2", hidden: true, services: [] };

describe("client/env-vars: list", () => {
  it("reads null services as every service, and does without times", async () => {
    const data = [envVarItem("A", { services: null, created_at: null, updated_at: undefined })];
    await using server = await startScript([{ json: { data } }]);
    await using client = clientOf(server);
    const { variables } = await client.envVars.list(ID);
    expect(variables).to.deep.equal([{ id: OTHER_ID, name: "A", value: "on", hidden: false, services: [] }]);
  });

  const tolerated = [
    ...[undefined, null, [], "x", {}, { inherited: null }, { inherited: { a: 1 } }].map((included) => ({ included })),
    ...[undefined, null, "x", {}, { next: "" }, { next: null }].map((links) => ({ links })),
  ];
  for (const more of tolerated)
    it(`does not fail because of ${JSON.stringify(more)}`, async () => {
      await using server = await startScript([{ json: { data: [], ...more } }]);
      await using client = clientOf(server);
      expect(await client.envVars.list(ID)).to.deep.equal({ variables: [], inherited: [] });
    });

  for (const [title, reply, text] of [
    ["202", { status: 202, json: { data: [] } }, "it is 202, not 200."],
    ["206", { status: 206, json: { data: [envVarItem("A")] } }, "it is 206, not 200."],
    [
      "a first page",
      { json: { data: [envVarItem("A")], links: { next: "/env-vars?page=2" } } },
      "the list has a second page.",
    ],
  ] as const)
    it(`does not take ${title} for the whole list`, async () => {
      await using server = await startScript([reply]);
      await using client = clientOf(server);
      const error = await failure(client.envVars.list(ID));
      expect(error).to.be.instanceOf(ResponseShapeError).with.property("message").that.includes(text);
    });
});

describe("client/env-vars: upsert", () => {
  it("tells after 207 what was stored and what was not, without sent values and control characters", async () => {
    // Too short to be remembered from earlier requests: only those of this one tell what to hide.
    const short = { ...secret, value: "p4ss" };
    const errors = [
      { name: "PASSWORD", error: `\u001b[31mvalue '${short.value}' is weak\u0007` },
      { name: null, error: "name and value are required" },
      { name: "C", error: { code: 7 } },
      { name: "D", title: "D is weak" },
      "quota",
      null,
    ];
    await using server = await startScript([{ status: 207, json: { data: [envVarItem("A")], errors } }]);
    await using client = clientOf(server);
    const { written, failed } = await client.envVars.upsert(ID, [short]);
    expect(server.requests[0]?.body).to.deep.equal({ env_vars: [{ ...short, services: null }] });
    expect(written.map(({ name }) => name)).to.deep.equal(["A"]);
    expect(failed).to.deep.equal([
      { name: "PASSWORD", reason: "value '[secret]' is weak" },
      { reason: "name and value are required" },
      { name: "C", reason: "" },
      { name: "D", reason: "" },
      { reason: "" },
      { reason: "" },
    ]);
  });

  it("shows neither token nor value in an error, however it is printed", async () => {
    const title = `bad value ${secret.value} (token ${"x".repeat(3)})`;
    await using server = await startScript([{ status: 400, json: { errors: [{ status: 400, title }] } }]);
    await using client = clientOf(server);
    const error = await failure(client.envVars.upsert(ID, [secret]));
    expect(error)
      .to.be.instanceOf(InvalidRequestError)
      .with.deep.property("titles", ["bad value [secret] (token xxx)"]);
    const printed = inspect([error, client], { depth: 9, showHidden: true }) + JSON.stringify(error);
    expect(printed).not.to.include(secret.value);
    expect(printed).not.to.include(TOKEN);
  });
});

describe("client/env-vars: delete", () => {
  it("says not found", async () => {
    await using server = await startScript([{ status: 404, json: { errors: [{ status: 404, title: "Not Found" }] } }]);
    await using client = clientOf(server);
    const error = await failure(client.envVars.delete(ID, "a\u001bb"));
    expect(error).to.be.instanceOf(NotFoundError);
  });

  it("is no success when JSON with status 200 answers: the service says 204", async () => {
    await using server = await startScript([{ status: 200, json: { status: "ok" } }]);
    await using client = clientOf(server);
    const error = await failure(client.envVars.delete(ID, "A"));
    expect(error).to.be.instanceOf(ResponseShapeError).with.property("message").that.includes("it is 200, not 204.");
  });
});
