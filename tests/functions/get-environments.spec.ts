import { expect } from "chai";
import { getEnvironment } from "../../provider/src/functions/get-environment";
import { getEnvironments } from "../../provider/src/functions/get-environments";
import { type Choices, type EnvironmentSeed, SEED } from "../../provider/src/sandbox";
import { clientOf, environmentItem, ID } from "../client/support/samples";
import { type Reply, startScript } from "../client/support/scripted-server";
import { failureOf, functionContext, startService } from "./service";

/** As many as three pages hold. Every second one of the repository `web`. */
const many: readonly EnvironmentSeed[] = Array.from({ length: 90 }, (_, index) => ({
  name: `env-${index}`,
  projects: [{ repoName: index % 2 === 0 ? "web" : "worker", branch: "main" }],
}));

/** What a service may make of its filters. */
const loose: Partial<Choices> = { filterMatch: "contains", filterProjects: "anyProject", listDeleted: "alsoDeleted" };

async function names(service: Awaited<ReturnType<typeof startService>>, args: Record<string, unknown>) {
  const { environments } = await getEnvironments.invoke(service.context, args);
  return environments.map(({ name }) => name);
}

describe("getEnvironments", () => {
  it("gives environments as getEnvironment does, without bypass token", async () => {
    await using service = await startService();

    const { environments } = await getEnvironments.invoke(service.context, { pullRequestNumber: 42 });

    const own = await getEnvironment.invoke(service.context, { id: SEED.shopPullRequest });
    expect(environments).to.deep.equal([own]);
    expect(own).not.to.have.property("bypassToken");
  });

  it("reads all pages twice, and sends the filters for each", async () => {
    await using service = await startService({ environments: many });

    const found = await names(service, { repoName: "web", orgName: "acme" });

    expect(found).to.deep.equal(many.filter((_, index) => index % 2 === 0).map(({ name }) => name));
    const walk = ["", "&page=2", "&page=3"].map((page) => `GET /environments org_name=acme&repo_name=web${page}`);
    expect(service.asked()).to.deep.equal([...walk, ...walk]);
  });

  for (const [args, query, found] of [
    [{ deleted: false }, "deleted=false", ["shop-pr-42", "shop-main", "shop-pr-17"]],
    [{ name: "shop-main" }, "name=shop-main", ["shop-main"]],
    [{ orgName: "acme", branch: "feature/search" }, "org_name=acme&branch=feature%2Fsearch", ["shop-pr-17"]],
    [{ repoName: "web", branch: "main" }, "repo_name=web&branch=main", ["shop-pr-42", "shop-main"]],
    [{ pullRequestNumber: 17 }, "pull_request_number=17", ["shop-pr-17"]],
    [{ pullRequestNumber: 1 }, "pull_request_number=1", []],
    [{ name: "shop" }, "name=shop", []],
    [{ repoName: "api", pullRequestNumber: 42 }, "repo_name=api&pull_request_number=42", []],
    [{ deleted: true }, "deleted=true", ["shop-pr-9"]],
    [{ deleted: false, branch: "fix/footer" }, "branch=fix%2Ffooter&deleted=false", []],
  ] as const)
    it(`takes ${JSON.stringify(args)} exactly, though the service does not`, async () => {
      await using service = await startService({ choices: loose });

      expect(await names(service, args)).to.deep.equal(found);
      expect(service.asked()).to.deep.equal([`GET /environments ${query}`]);
    });

  for (const [args, text] of [
    [{ id: SEED.shopMain }, "getEnvironments: id is not an argument of this function."],
    [{ pullRequestNumber: 0 }, "pullRequestNumber must be greater than 0"],
    [{ deleted: "true" }, "deleted must be a boolean"],
    [
      { branch: "pr-Calling __str__ on an Output[T] is not supported." },
      "getEnvironments: branch holds a description of an Output",
    ],
    // No environment would match.
    ...(["name", "orgName", "repoName", "branch"] as const).map(
      (name) => [{ [name]: "web\n" }, `${name} must not have a control character or a line break`] as const,
    ),
  ] as const)
    it(`refuses ${JSON.stringify(args)} before any request`, async () => {
      await using service = await startService();

      expect(await failureOf(getEnvironments.invoke(service.context, args))).to.include(text);
      expect(service.asked()).to.deep.equal([]);
    });
});

describe("getEnvironments while environments come and go", () => {
  /** A page. Every letter is an environment that is on it when it is asked for. */
  const pageOf = (letters: string, next = ""): Reply => {
    const data = letters.split("").map((letter) => environmentItem(letter.repeat(8) + ID.slice(8), { name: letter }));
    return { json: { data, links: { next } } };
  };
  /** Walks of two pages each. */
  const answers = (...walks: readonly (readonly [string, string])[]): readonly Reply[] =>
    walks.flatMap(([first, last]) => [pageOf(first, "/api/v1/environment?page=2"), pageOf(last)]);
  const ALL = ["ab", "cd"] as const;
  /** `a` is deleted after the first page was read: `c` moves to the first page before the second one is read. */
  const WITHOUT_C = ["ab", "d"] as const;

  for (const [what, walks, found] of [
    ["one that slipped through between two pages is there", [WITHOUT_C, ["bc", "d"], ["bc", "d"]], "bcd"],
    ["the same ones on other pages are the same list", [ALL, ["a", "dcb"]], "adcb"],
    ["the fifth walk may be the one that shows the same again", [ALL, WITHOUT_C, ALL, WITHOUT_C, WITHOUT_C], "abd"],
  ] as const)
    it(what, async () => {
      await using server = await startScript(answers(...walks));
      await using client = clientOf(server);

      const { environments } = await getEnvironments.invoke(functionContext(client), {});

      expect(environments.map(({ name }) => name).join("")).to.equal(found);
      expect(server.requests).to.have.length(2 * walks.length);
    });

  for (const [what, complete, requests] of [
    ["a list of one page is read once", false, 1],
    ["a list of one page is read until it is twice the same when it must be complete", true, 3],
  ] as const)
    it(what, async () => {
      await using server = await startScript(["", "ab", "ab"].map((letters) => pageOf(letters)));
      await using client = clientOf(server);

      const { environments } = await getEnvironments.invoke(functionContext(client), { complete, repoName: "web" });

      expect(environments.map(({ name }) => name).join("")).to.equal(complete ? "ab" : "");
      expect(server.requests).to.have.length(requests);
    });

  it("fails when it is never twice the same, and gives none of the lists", async () => {
    await using server = await startScript(answers(ALL, WITHOUT_C, ALL, WITHOUT_C, ALL, WITHOUT_C));
    await using client = clientOf(server);

    const failure = await failureOf(getEnvironments.invoke(functionContext(client), {}));

    expect(failure).to.include("it was read 5 times and was different each time").and.include("Give more filters");
    expect(server.requests).to.have.length(10);
  });
});
