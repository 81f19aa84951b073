import { expect } from "chai";
import type { Properties } from "../../../provider/src/framework/properties";
import { unmarked } from "../../support/marked-values";
import { usePlugin } from "./suite";

const MARKED = { __listed: true };
const UNCHANGED = 1;
const CHANGED = 2;

/** The URN of what PreviewEnvironments declares for an environment, unless it has another name. */
function urnOf(type: string, name: string): string {
  return `urn:pulumi:stack::project::my:index:Team$previewenv:index:PreviewEnvironments$previewenv:index:${type}::${name}`;
}

describe("native plugin: the mark of the children of a list, which a program can drop unseen", () => {
  const plugin = usePlugin();

  /** Checks inputs, and creates what `remediate` makes of the checked ones. Returns what the steps after it need. */
  async function child(mark: Properties, remediate: (checked: Properties) => Properties = (checked) => checked) {
    const environmentId = plugin.environment();
    const urn = urnOf("EnvVarSet", `${environmentId}-app`);
    const declared = { environmentId, variables: { LEVEL: "1" } };
    const calls = await plugin.begin();
    const { inputs } = await calls.check(urn, unmarked({}), unmarked({ ...declared, ...mark }));
    const { id, outputs } = await calls.create({ urn }, unmarked(remediate(inputs.bag)));
    return { environmentId, declared, inputs, target: { urn, id, olds: outputs, oldInputs: inputs } };
  }

  /** The values that are left after an `up` whose list lacks the environment. */
  async function valuesAfterDelete({ environmentId, target }: Awaited<ReturnType<typeof child>>) {
    const { urn, id, olds, oldInputs } = target;
    const calls = await plugin.begin();
    await plugin.calls.checkConfig(unmarked({ baseUrl: plugin.sandbox.url, apiToken: plugin.sandbox.token }));
    await calls.delete({ urn, id }, olds, oldInputs);
    return plugin.sandbox.world.variables(environmentId).map(({ value }) => value);
  }

  it("is there again when a `transforms` function makes the inputs anew", async () => {
    const made = await child({});
    expect(made.inputs.bag).to.deep.include(MARKED);
    expect(made.target.olds.bag).to.deep.include(MARKED);
    expect(await valuesAfterDelete(made)).to.deep.equal(["1"]);
  });

  it("is there again when a policy makes the checked inputs anew, and no later run has an update because of that", async () => {
    const made = await child(MARKED, ({ environmentId, variables }) => ({ environmentId, variables }));
    expect(made.target.olds.bag).to.deep.include(MARKED);
    const calls = await plugin.begin();
    const comparison = { ...made.target, news: unmarked(made.declared) };
    expect((await calls.diff(comparison)).getChanges()).to.equal(UNCHANGED);
    const changed = unmarked({ ...made.declared, variables: { LEVEL: "2" } });
    const olds = await calls.update({ ...made.target, news: changed });
    expect(olds.bag).to.deep.include(MARKED);
    expect(await valuesAfterDelete({ ...made, target: { ...made.target, olds } })).to.deep.equal(["2"]);
  });

  it('goes with `onUnlisted: "delete"`, also where the state of an earlier version has no mark in its inputs', async () => {
    const made = await child({ __listed: false });
    expect(made.target.olds.bag).not.to.have.property("__listed");
    const calls = await plugin.begin();
    for (const news of [made.inputs, unmarked(made.declared)])
      expect((await calls.diff({ ...made.target, news })).getChanges()).to.equal(UNCHANGED);
    const olds = unmarked({ ...made.target.olds.bag, ...MARKED });
    expect((await calls.diff({ ...made.target, olds, news: made.inputs })).getChanges()).to.equal(CHANGED);
    expect(await valuesAfterDelete(made)).to.deep.equal([]);
  });

  it("is given to all of them, and to nothing else that the program puts below the list", async () => {
    const environmentId = plugin.environment();
    const calls = await plugin.begin();
    const marks = async (type: string, name: string, rest: Properties): Promise<boolean> => {
      const { inputs } = await calls.check(urnOf(type, name), unmarked({}), unmarked({ environmentId, ...rest }));
      return inputs.bag["__listed"] === true;
    };
    expect(await marks("EnvironmentBranches", `${environmentId}-branches`, { rebuildOn: [] })).to.equal(true);
    expect(await marks("EnvironmentState", `${environmentId}-state`, { state: "running" })).to.equal(true);
    expect(await marks("EnvVarSet", "own", { variables: { OWN: "1" } })).to.equal(false);
  });
});
