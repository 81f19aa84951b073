import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import { existing } from "../../sdk/nodejs/runtime/existing";
import { errorsOf, failing } from "../support/stack";
import { contract, type Scenario, set } from "../support/stage";

/** Inputs that nobody could mean, and what the error says of them. */
const refused: Readonly<Record<string, readonly (readonly [inputs: Properties, text: RegExp])[]>> = {
  EnvVarSet: [
    [{ environmentId: "shop", variables: { A: "1" } }, /environmentId must be a UUID/u],
    [{ variables: { "": "1" } }, /variables has an entry with an empty name/u],
    [{ variables: { "C:\\": "1" } }, /variables has an entry whose name ends with a backslash/u],
    [{ variables: { A: "1" }, triggers: { "\\": "1" } }, /triggers has an entry whose name ends with a backslash/u],
    [{ variables: { ".": "1", "..": "2" } }, /must not be "\." or "\.\."/u],
    [{ secrets: { "A\nB": "never-shown" } }, /control character/u],
    [{ services: ["web\n"] }, /services\.0 must not have a control character or a line break/u],
    [{ variables: { A: "1" }, scopes: { A: ["web\n"] } }, /scopes\.A\.0 must not have a control character/u],
    [{ secrets: { TOKEN: "1" }, scopes: { TOKENS: [] } }, /scopes\.TOKENS is not declared .*Did you mean/u],
    [{ variables: { A: "1" }, secrets: { A: "1" } }, /A.*secrets/u],
    [{ secrets: { KEY: "previewenv:existing" } }, /secrets\.KEY is nearly .* exactly "previewenv:existing:v1"/u],
    [{ secrets: { KEY: "previewenv:existing_v1" } }, /secrets\.KEY is nearly/u],
    [{ variables: { A: "existing()" } }, /variables\.A is nearly the text of `existing\(\)`/u],
    [{ variables: { A: 1 } }, /variables\.A must be a string, but is a number: quote it/u],
    [{ onConflict: "maybe" }, /onConflict must be one of "fail", "overwrite"/u],
    [{ keep: ["A"] }, /keep .*prune/u],
    [{ prune: true, keep: ["SYSTEM_*\n"] }, /keep\.0 must not have a control character/u],
    [{ prune: true, keep: ["A", "!B"] }, /keep\.1 cannot begin with `!`/u],
    [{ prune: true, keep: ["SYS_[A"] }, /keep\.0 has a `\[` without a `\]`/u],
    [
      { secrets: { URL: "never-shown Calling __str__ on an Output[T] is not supported." } },
      /secrets\.URL holds a description of an Output .*`pulumi\.Output\.format`/u,
    ],
    [{ variables: { "Calling [ToString] on an [Output<T>]": "1" } }, /a name in variables holds .*`Output\.Format`/u],
    [{ nonsense: true }, /nonsense is not a property/u],
  ],
  EnvVar: [
    [{ name: "", value: "never-shown" }, /name/u],
    [{ name: "..", value: "never-shown" }, /name/u],
    [{ name: "A\nB", value: "never-shown" }, /name/u],
    [{ name: "A", value: "Previewenv: existing:v1 " }, /value is nearly the text of `existing\(\)`/u],
  ],
  EnvironmentBranches: [
    [{}, /branches must name .*rebuildOn/u],
    [{ branches: { "": "x" } }, /branches has an entry with an empty name/u],
    [{ branches: { web: "" } }, /branches\.web must not be empty/u],
    [{ branches: { web: "main\n" } }, /branches\.web must not have a control character or a line break/u],
    [{ branches: { "web\r\n": "main" } }, /branches has the name "web.*", which must not have a control character/u],
    [{ branches: { web: "x" }, buildTimeoutSeconds: 0 }, /buildTimeoutSeconds must be greater than 0/u],
    [{ branches: { web: "x" }, buildTimeoutSeconds: 1.5 }, /buildTimeoutSeconds must be a whole number/u],
    [{ branches: { web: "x" }, onDestroy: "explode" }, /onDestroy must be one of "retain", "restore"/u],
    [{ rebuildOn: ["1", { of: { "": 1 } }] }, /rebuildOn\.1\.of has an entry with an empty name/u],
    [{ rebuildOn: [["{0xc000137180}"]] }, /rebuildOn\.0\.0 holds .*`pulumi\.Sprintf`/u],
    [{ rebuildOn: [], whenStopped: "sleep" }, /whenStopped must be one of "fail", "skip", "wake"/u],
    [{ rebuildOn: [], requires: [""] }, /requires\.0 is an empty name/u],
    [{ rebuildOn: [], requires: ["A", ".."] }, /requires\.1 must not be/u],
    [{ rebuildOn: [], requires: "A" }, /requires must be a list/u],
  ],
  EnvironmentState: [
    [{ state: "retired" }, /state must be one of "running", "stopped"/u],
    [{ state: "running", timeoutSeconds: 0 }, /timeoutSeconds must be greater than 0/u],
    [{ state: "running", triggers: {} }, /triggers is not a property/u],
  ],
  EnvironmentAction: [
    [{ action: "explode" }, /action must be one of "stop", "restart", "rebuild", "revive", "cancel"/u],
    [{ action: "stop", triggers: { commit: 1 } }, /triggers\.commit must be a string/u],
  ],
  SnapshotLoad: [
    [{ sequenceNumber: 0 }, /sequenceNumber must be greater than 0/u],
    [{ sequenceNumber: 1.5 }, /sequenceNumber must be a whole number/u],
    [{ sequenceNumber: 7, sourceEnvironmentId: "shop" }, /sourceEnvironmentId must be a UUID/u],
  ],
};

contract(
  "inputs that are refused before any request",
  Object.entries(refused).map(([type, rows]): Scenario => ({
    title: `of an ${type}: the error names the input, and never the value`,
    onHosts: type === "SnapshotLoad",
    async run({ engine, environmentId, requests }) {
      for (const [inputs, text] of rows) {
        expect(await errorsOf(engine.up({ one: { type, inputs: { environmentId, ...inputs } } })))
          .to.match(text)
          .and.not.contain("never-shown");
      }
      expect(requests()).to.deep.equal([]);
      expect(engine.state.size).to.equal(0);
    },
  })),
);

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
];

contract("what two resources declare", scenarios);
