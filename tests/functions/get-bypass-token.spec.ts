import { expect } from "chai";
import { getBypassToken } from "../../provider/src/functions/get-bypass-token";
import { SEED } from "../../provider/src/sandbox";
import { environmentItem } from "../client/support/samples";
import { failureOf, startService } from "./service";

const ID = SEED.shopPullRequest;
const list = { label: "GET /environments", status: 200 };
const listOnly = { choices: { bypassTokenShown: "listOnly" } } as const;

describe("getBypassToken", () => {
  it("takes it from the environment's own answer when that has it", async () => {
    await using service = await startService();

    const answer = await getBypassToken.invoke(service.context, { environmentId: ID });

    const token = service.sandbox.world.environments.get(ID)?.bypassToken;
    expect(token).to.be.a("string").and.not.to.equal("");
    expect(answer).to.deep.equal({ bypassToken: token });
    expect(service.asked()).to.deep.equal(["GET /environment"]);
  });

  it("takes it from the list of that name otherwise", async () => {
    await using service = await startService(listOnly);
    service.sandbox.world.environments.add({ name: "shop-main", projects: [{ repoName: "web", branch: "main" }] });

    // The second one of two that have the same name, by an id in capitals.
    const [, second] = service.sandbox.world.environments.list().filter(({ name }) => name === "shop-main");
    const environmentId = second?.id.toUpperCase() ?? "";
    const { bypassToken } = await getBypassToken.invoke(service.context, { environmentId });

    expect(bypassToken).to.equal(second?.bypassToken);
    expect(service.asked()).to.deep.equal(["GET /environment", "GET /environments name=shop-main&deleted=false"]);
  });

  it("looks among deleted ones too when the environment is not listed any more", async () => {
    await using service = await startService(listOnly);
    for (const data of [[], [environmentItem(ID, { name: "shop-pr-42", bypass_token: "late", deleted: true })]])
      service.sandbox.faults.add({ ...list, body: { data, links: { next: "" } } });

    expect(await getBypassToken.invoke(service.context, { environmentId: ID })).to.deep.equal({ bypassToken: "late" });
    expect(service.asked().at(-1)).to.equal("GET /environments name=shop-pr-42&deleted=true");
  });

  it("says so when the service gives none, or an empty one", async () => {
    await using service = await startService(listOnly);
    const data = [environmentItem(ID, { name: "shop-pr-42", bypass_token: "" })];
    service.sandbox.faults.add({ ...list, times: Infinity, body: { data, links: { next: "" } } });

    expect(await failureOf(getBypassToken.invoke(service.context, { environmentId: ID }))).to.equal(
      `getBypassToken: the service gives no bypass token of environment shop-pr-42 (${ID}), neither with the environment nor in the ` +
        "list of environments. Ask the operator of the service whether environments have one.",
    );
  });
});
