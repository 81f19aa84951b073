import { expect } from "chai";
import { AuthenticationError, InvalidRequestError, NotFoundError } from "../../provider/src/client";
import { type SandboxOptions, SEED, startSandbox } from "../../provider/src/sandbox";
import { clientAt, collect, failure, OTHER_ID } from "./support/samples";

async function start(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options);
  return { sandbox, client: clientAt(sandbox.url, { apiToken: sandbox.token }) };
}

const ID = SEED.shopPullRequest;

describe("client against the sandbox", () => {
  for (const choices of [{ singleEnvironmentBody: "data" }, { singleEnvironmentBody: "bare" }] as const) {
    it(`reads the same environment alone (${choices.singleEnvironmentBody}) as in the list`, async () => {
      const { sandbox, client } = await start({ choices });
      await using _ = sandbox;
      await using __ = client;
      const [listed] = await collect(client.environments.list({ repoName: "web", pullRequestNumber: 42 }));
      expect(listed?.id).to.equal(ID);
      expect(await client.environments.get(ID)).to.deep.equal(listed);
    });
  }

  it("walks the pages of many environments", async () => {
    const environments = Array.from({ length: 45 }, (_, index) => ({
      name: `env-${index}`,
      projects: [{ repoName: "web", branch: "main" }],
    }));
    const { sandbox, client } = await start({ environments, pathPrefix: "/gateway" });
    await using _ = sandbox;
    await using __ = client;
    const names = (await collect(client.environments.list())).map(({ name }) => name);
    expect(new Set(names)).to.deep.equal(new Set(environments.map(({ name }) => name)));
    expect(names).to.have.length(45);
  });

  for (const method of ["PATCH", "POST"] as const) {
    it(`changes branches where the service takes ${method} only`, async () => {
      const { sandbox, client } = await start({ choices: { branchMethods: [method] } });
      await using _ = sandbox;
      await using __ = client;
      await client.environments.changeBranches(ID, [
        { repoName: "web", branch: "next" },
        { repoName: "api", branch: "main" },
      ]);
      const { projects } = await client.environments.get(ID);
      expect(projects.find(({ repoName }) => repoName === "web")?.branch).to.equal("next");
      const builds = await collect(client.builds.list(ID));
      expect(builds.length).to.be.greaterThan(1);
    });
  }

  it("writes, reads and deletes a variable", async () => {
    const { sandbox, client } = await start();
    await using _ = sandbox;
    await using __ = client;
    const written = { name: "A/B", value: "hunter2-hunter2", hidden: true, services: ["web"] };
    const { stored, failed } = await client.envVars.upsert(ID, [written]);
    expect(failed).to.deep.equal([]);
    expect(stored.find(({ name }) => name === "A/B")).to.include({ hidden: true });
    const { variables } = await client.envVars.list(ID);
    expect(variables.find(({ name }) => name === "A/B")?.value)
      .to.include("*")
      .and.not.equal(written.value);
    await client.envVars.delete(ID, "A/B");
    expect(await failure(client.envVars.delete(ID, "A/B"))).to.be.instanceOf(NotFoundError);
  });

  it("names refusals by class", async () => {
    const { sandbox, client } = await start();
    await using _ = sandbox;
    await using __ = client;
    await using stranger = clientAt(sandbox.url, { apiToken: "wrong" });
    expect(await failure(client.environments.act("restart", ID))).to.be.instanceOf(InvalidRequestError);
    expect(await failure(collect(client.builds.list(OTHER_ID)))).to.be.instanceOf(NotFoundError);
    expect(await failure(stranger.environments.get(ID)))
      .to.be.instanceOf(AuthenticationError)
      .with.deep.property("titles", ["Invalid token"]);
  });
});
