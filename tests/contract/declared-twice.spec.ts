import { expect } from "chai";
import { existing } from "../../sdk/nodejs/runtime/existing";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, set } from "../support/stage";

const BOTH = /^EnvVarSet "one" and EnvVarSet "two" both declare the variable "A"/u;

/** The provider sees both, whatever the program's own classes have seen: another language, or a `transforms` function. */
const scenarios: readonly Scenario[] = [
  {
    title: "the second resource is refused in a preview and in an up, and both are named",
    onHosts: true,
    async run({ engine, environmentId, values }) {
      const [one, two] = [
        set(environmentId, { variables: { A: "1" } }).vars,
        set(environmentId, { secrets: { A: "2" } }).vars,
      ];
      for (const command of ["preview", "up"] as const) {
        const { errors } = await failing(engine[command]({ one, two }));
        expect(
          errors.filter((error) => BOTH.test(error)),
          errors.join("\n"),
        ).to.have.length(1);
      }
      expect(values()).to.deep.equal({ A: "1" });
    },
  },
  {
    title: "a replaced resource is not a second one",
    onHosts: true,
    async run({ engine, environmentId, values }) {
      const program = { one: set(environmentId, { variables: { A: "1" } }).vars };
      await engine.up(program);
      await engine.up(program, { replace: ["one"] });
      await engine.up(program, { targetReplace: ["one"] });
      expect(values()).to.deep.equal({ A: "1" });
    },
  },
  {
    title: "a name whose value is left to the service is no second declaration of it",
    onHosts: true,
    async run({ engine, environmentId, values }) {
      const left = set(environmentId, { variables: { A: existing() } }).vars;
      const single = {
        type: "EnvVar",
        inputs: { environmentId, name: "A", value: existing(), hidden: false },
        dependencies: ["one"],
      };
      await engine.up({ one: set(environmentId, { variables: { A: "1" } }).vars });
      await engine.up({ one: set(environmentId, { variables: { A: "1" } }).vars, left, single });
      expect(values()).to.deep.equal({ A: "1" });
    },
  },
  {
    title: "what `ignoreChanges` keeps in one resource is refused in another, and the text says so",
    onHosts: true,
    async run({ engine, environmentId }) {
      const [one, two] = [set(environmentId, { secrets: { A: "1" } }), set(environmentId, { variables: { A: "2" } })];
      await engine.up({ one: one.vars });
      const emptied = { ...set(environmentId, { secrets: {} }).vars, ignoreChanges: ["secrets"] };
      const { errors } = await failing(engine.preview({ one: emptied, two: two.vars }));
      expect(errors).to.have.length(1);
      expect(errors[0]).to.match(BOTH).and.contain("ignoreChanges");
    },
  },
  {
    title: "a resource that wakes what another one stops is refused, and both are named",
    onHosts: true,
    async run({ engine, environmentId }) {
      const { deployed } = branches(environmentId, { rebuildOn: [], whenStopped: "wake" });
      const off = { type: "EnvironmentState", inputs: { environmentId, state: "stopped" } };
      for (const program of [
        { deployed, off },
        { off, deployed },
      ])
        expect((await failing(engine.preview(program))).errors.join()).to.match(
          /EnvironmentBranches "deployed" has `whenStopped: "wake"`, and EnvironmentState "off" has `state: "stopped"`/u,
        );
    },
  },
];

contract("what two resources declare", scenarios);
