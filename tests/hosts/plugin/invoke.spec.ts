import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { functions } from "../../../provider/src/functions";
import { isMarked, leaves, unmarked } from "../../support/marked-values";
import { argumentsOf } from "../../functions/arguments";
import { failureOf, usePlugin } from "./suite";

const token = (name: string): string => `previewenv:index:${name}`;

describe("native plugin, functions", () => {
  const plugin = usePlugin();

  for (const { name, outputs, secret } of functions)
    it(`answer what the declaration says, marked when that says so: ${name}`, async () => {
      const id = plugin.environment({ variables: [{ name: "A", value: "1", hidden: false }] });
      const { bag, marks } = await (await plugin.begin()).invoke(token(name), unmarked(argumentsOf(name, id)));
      expect(outputs.safeParse(bag).success).to.equal(true);
      expect(leaves(bag)).not.to.deep.equal([]);
      expect(leaves(bag).every((path) => isMarked(marks, path))).to.equal(secret);
    });

  it("answer what there is", async () => {
    const id = plugin.environment({ variables: [{ name: "A", value: "1", hidden: false }] });
    const run = await plugin.begin();
    const { bag: environment } = await run.invoke(token("getEnvironment"), { bag: { id }, marks: [["id"]] });
    expect(environment).to.include({ id, name: "shop", ready: true });
    const { bag: listed } = await run.invoke(token("getEnvironments"), unmarked({ repoName: "web" }));
    expect(listed).to.have.nested.property("environments[0].id", id);
    const { bag: builds } = await run.invoke(token("getBuildHistory"), unmarked({ environmentId: id }));
    expect(builds).to.have.nested.property("builds[0].id", plugin.sandbox.world.builds(id)[0]?.id);
    const { bag: variables } = await run.invoke(token("getEnvVars"), unmarked({ environmentId: id }));
    expect(variables).to.have.nested.property("variables[0].value", "1");
    expect(variables).to.have.deep.property("inherited", []);
    const { bag: secret } = await run.invoke(token("getBypassToken"), unmarked({ environmentId: id }));
    expect(secret).to.deep.equal({ bypassToken: plugin.sandbox.world.environments.get(id)?.bypassToken });
  });

  it("fail with a text that says what to do: wrong arguments, nothing found, a function of another version", async () => {
    const run = await plugin.begin();
    const wrong = await failureOf(run.invoke(token("getEnvironment"), unmarked({})));
    expect(wrong).to.include({ code: status.FAILED_PRECONDITION });
    expect(wrong.message).to.contain("give `id` or at least one filter");
    const none = await failureOf(run.invoke(token("getEnvironment"), unmarked({ name: "nothing" })));
    expect(none).to.include({ code: status.FAILED_PRECONDITION });
    expect(none.message).to.contain("no environment matched");
    const unknown = await failureOf(run.invoke(token("getTomorrow"), unmarked({})));
    expect(unknown).to.include({ code: status.FAILED_PRECONDITION });
    expect(unknown.message).to.contain("getTomorrow").and.to.contain("install a newer one");
  });

  it("end with the run, and not after what they wait for", async () => {
    const run = await plugin.begin();
    const arrived = plugin.arrival("GET /environments");
    const waiting = failureOf(run.invoke(token("getEnvironment"), unmarked({ name: "later", waitSeconds: 600 })));
    await arrived;
    await run.cancel();
    expect((await waiting).message).to.match(/cancelled/u);
  });
});
