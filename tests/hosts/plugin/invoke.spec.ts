import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import type { Properties } from "../../../provider/src/framework/properties";
import { functions } from "../../../provider/src/functions";
import { isMarked, leaves, unmarked } from "../../support/marked-values";
import { failureOf, usePlugin } from "./suite";

const token = (name: string): string => `previewenv:index:${name}`;

describe("native plugin, functions", () => {
  const plugin = usePlugin();

  const calls: readonly (readonly [string, (id: string) => Properties, (id: string) => Properties])[] = [
    ["getEnvironment", (id) => ({ id }), (id) => ({ id, name: "shop", ready: true })],
    ["getEnvironments", () => ({ repoName: "web" }), () => ({})],
    ["getBuildHistory", (environmentId) => ({ environmentId, limit: 1 }), () => ({})],
    ["getEnvVars", (environmentId) => ({ environmentId }), () => ({ inherited: [] })],
    ["getBypassToken", (environmentId) => ({ environmentId }), () => ({})],
  ];

  it("are all called below", () => {
    expect(calls.map(([name]) => name)).to.have.members(functions.map(({ name }) => name));
  });

  for (const [name, args, answer] of calls)
    it(`answer what the declaration says, marked when that says so: ${name}`, async () => {
      const id = plugin.environment({ variables: [{ name: "A", value: "1", hidden: false }] });
      const found = functions.find((one) => one.name === name);
      const { bag, marks } = await (await plugin.begin()).invoke(token(name), unmarked(args(id)));
      expect(found?.outputs.safeParse(bag).success).to.equal(true);
      expect(bag).to.deep.include(answer(id));
      expect(leaves(bag)).not.to.deep.equal([]);
      expect(leaves(bag).every((path) => isMarked(marks, path))).to.equal(name === "getBypassToken");
    });

  it("answer lists of what there is", async () => {
    const id = plugin.environment({ variables: [{ name: "A", value: "1", hidden: false }] });
    const run = await plugin.begin();
    const { bag: listed } = await run.invoke(token("getEnvironments"), unmarked({ repoName: "web" }));
    expect(listed).to.have.nested.property("environments[0].id", id);
    const { bag: builds } = await run.invoke(token("getBuildHistory"), unmarked({ environmentId: id }));
    expect(builds).to.have.nested.property("builds[0].id", plugin.sandbox.world.builds(id)[0]?.id);
    const { bag: variables } = await run.invoke(token("getEnvVars"), unmarked({ environmentId: id }));
    expect(variables).to.have.nested.property("variables[0].value", "1");
    const { bag: secret } = await run.invoke(token("getBypassToken"), unmarked({ environmentId: id }));
    expect(secret).to.deep.equal({ bypassToken: plugin.sandbox.world.environments.get(id)?.bypassToken });
  });

  it("take arguments that are secrets", async () => {
    const id = plugin.environment();
    const { bag } = await (await plugin.begin()).invoke(token("getEnvironment"), { bag: { id }, marks: [["id"]] });
    expect(bag).to.have.property("id", id);
  });

  it("fail with a text that says what to do: wrong arguments, nothing found, a function of another version", async () => {
    const run = await plugin.begin();
    const wrong = await failureOf(run.invoke(token("getEnvironment"), unmarked({})));
    expect(wrong).to.include({ code: status.INVALID_ARGUMENT });
    expect(wrong.message).to.contain("give `id` or at least one filter");
    const none = await failureOf(run.invoke(token("getEnvironment"), unmarked({ name: "nothing" })));
    expect(none).to.include({ code: status.FAILED_PRECONDITION });
    expect(none.message).to.contain("no environment matched");
    const unknown = await failureOf(run.invoke(token("getTomorrow"), unmarked({})));
    expect(unknown).to.include({ code: status.INVALID_ARGUMENT });
    expect(unknown.message).to.contain("getTomorrow").and.to.contain("install a newer one");
  });

  it("end with the run, and not after what they wait for", async () => {
    const run = await plugin.begin();
    const arrived = plugin.arrival("GET /environments");
    const waiting = failureOf(run.invoke(token("getEnvironment"), unmarked({ name: "later", waitSeconds: 600 })));
    await arrived;
    await run.cancel();
    expect((await waiting).code).to.equal(status.CANCELLED);
  });
});
