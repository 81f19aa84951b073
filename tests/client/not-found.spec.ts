import { expect } from "chai";
import { ConnectionError, NotFoundError, UndocumentedNotFoundError } from "../../provider/src/client";
import { clientOf, failure, ID, TOKEN } from "./support/samples";
import { startScript } from "./support/scripted-server";

/** Bodies of a 404, and whether the service says it so: "{ errors: [ { status: integer, title: string } ] }". */
const bodies: readonly (readonly [string, string, boolean])[] = [
  ["the documented one", '{"errors": [{"status": 404, "title": "Application not found!"}]}', true],
  ["a title alone", '{"errors": [{"title": ""}]}', true],
  ["several errors", '{"errors": [{"title": "a"}, 7], "more": {}}', true],
  ["a web page", "<html><body><h1>404 Not Found</h1></body></html>", false],
  ["nothing", "", false],
  ["a text", "404 page not found", false],
  ["JSON of a gateway", '{"message": "no Route matched with those values"}', false],
  ["a JSON text", '"errors"', false],
  ["a list", '[{"errors": [{"title": "a"}]}]', false],
  ["no errors in it", '{"errors": []}', false],
  ["errors by name", '{"errors": {"0": {"title": "a"}}}', false],
  ["errors that are texts", '{"errors": ["title"]}', false],
  ["a title that is none", '{"errors": [{"title": null}]}', false],
  ["the title of the second", '{"errors": [{"status": 404}, {"title": "a"}]}', false],
  ["JSON that breaks off", '{"errors": [{"title": "a"}]', false],
];

describe("client: 404", () => {
  for (const [what, text, isWord] of bodies)
    it(`${what}: ${isWord ? "the documented answer" : "maybe of a gateway"}`, async () => {
      await using server = await startScript([{ status: 404, text }]);
      await using client = clientOf(server);
      const { environments, builds, envVars } = client;
      const calls = [
        environments.get(ID),
        environments.act("rebuild", ID),
        builds.list(ID).next(),
        envVars.list(ID),
        envVars.upsert(ID, []),
        envVars.delete(ID, "A"),
      ];
      for (const error of await Promise.all(calls.map(failure)))
        expect(error).to.be.instanceOf(isWord ? NotFoundError : UndocumentedNotFoundError);
    });

  it("whose body does not arrive says nothing about what exists", async () => {
    await using server = await startScript([{ status: 404, drop: "midway" }]);
    await using client = clientOf(server, { maxRetries: 0 });
    expect(await failure(client.environments.get(ID))).to.be.instanceOf(ConnectionError);
  });

  it("that may be of a gateway names what to check, and repeats nothing of the body", async () => {
    const text = `<html>Sign in to see /secret/${TOKEN}</html>`;
    await using server = await startScript([{ status: 404, text }]);
    await using client = clientOf(server);
    const error = await failure(client.environments.get(ID));
    expect(error)
      .to.have.property("message")
      .that.matches(/^Could not read environment [\w-]{36}: the answer is 404, but not the documented one .+: /u)
      .and.matches(/check previewenv:baseUrl/u)
      .and.not.matches(/Sign in|secret|token/u);
    expect(server.requests).to.have.length(1);
  });
});
