import * as fc from "fast-check";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { describeFailure, describeFailureWithValue } from "../../provider/src/framework/input-checks";
import { checkInputs, create, diff } from "../../provider/src/framework/engine-calls";
import {
  isMap,
  type Properties,
  SIGNATURE,
  UNKNOWN,
  UnreadableStateError,
} from "../../provider/src/framework/properties";
import { findResource, resources } from "../../provider/src/resources";
import { startRun } from "../../provider/src/environment/start-run";
import { RefusedError } from "../../provider/src/framework/resource-errors";
import { resolveSettings } from "../../provider/src/framework/settings";
import { outputInText } from "../../provider/src/framework/output-in-text";

const ID = "11111111-1111-4111-8111-111111111142";

const SETTINGS: Readonly<Record<string, string>> = { baseUrl: "http://127.0.0.1:9", apiToken: "token" };

/** Inputs with everything set, by type. */
const complete: Readonly<Record<string, Properties>> = {
  EnvVarSet: {
    environmentId: ID,
    variables: { A: "1", B: "2" },
    secrets: { C: "3", D: "4" },
    services: ["web", "api"],
    scopes: { A: ["worker"], C: [], D: ["web", "worker"] },
    onConflict: "overwrite",
    prune: true,
    keep: ["X_*"],
    triggers: { round: "1" },
  },
  EnvironmentBranches: {
    environmentId: ID,
    branches: { web: "feature/x", api: "main" },
    rebuildOn: ["r", { nested: ["deep", { deeper: "deepest" }] }, 5],
    waitForBuild: true,
    buildTimeoutSeconds: 60,
    onDestroy: "restore",
  },
};

/** What state always holds beside the inputs. */
const bookkeeping: Readonly<Record<string, Properties>> = {
  EnvVarSet: { revision: "r", observed: { v: 1, names: { t: "A\nB\nC\nD" } } },
  EnvironmentBranches: { originalBranches: { web: "main", api: "main" } },
};

/** State of something that declares nothing, of both types. */
const EMPTY = { environmentId: ID, revision: "r", observed: { v: 1, names: {} }, originalBranches: {} };

type Path = readonly (string | number)[];

/** Every path of a value, the value itself aside. */
function paths(value: unknown, path: Path = []): readonly Path[] {
  const below = Array.isArray(value)
    ? value.flatMap((item, index) => paths(item, [...path, index]))
    : isMap(value)
      ? Object.entries(value).flatMap(([key, item]) => paths(item, [...path, key]))
      : [];
  return path.length === 0 ? below : [path, ...below];
}

function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === head ? replaced(item, rest, by) : item));
  if (!isMap(value)) return value;
  return { ...value, [head]: replaced(value[head], rest, by) };
}

function withUnknowns(inputs: Properties, where: readonly Path[]): Properties {
  const changed = where.reduce<unknown>((bag, path) => replaced(bag, path, UNKNOWN), inputs);
  return isMap(changed) ? changed : {};
}

describe("check and diff with values that are not known yet", () => {
  for (const { type } of resources.filter((one) => complete[one.type] !== undefined)) {
    const inputs = complete[type] ?? {};

    it(`${type}: every single path may be unknown, and stays unknown`, () => {
      for (const path of paths(inputs)) {
        const news = withUnknowns(inputs, [path]);
        const checked = checkInputs(findResource(type), news);
        expect(checked.failures, path.join(".")).to.deep.equal([]);
        expect(JSON.stringify(checked.inputs), path.join(".")).to.contain(UNKNOWN);
        const state = { ...inputs, ...bookkeeping[type] };
        expect(diff(findResource(type), state, checked.inputs).changes, path.join(".")).not.to.deep.equal([]);
      }
    });

    it(`${type}: no input, however wrong, makes check or diff throw; as state it may be one that cannot be read`, () => {
      const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(null), fc.constant(UNKNOWN));
      const wrong = fc.record(Object.fromEntries(Object.keys(inputs).map((name) => [name, anything])), {
        requiredKeys: [],
      });
      fc.assert(
        fc.property(wrong, (news) => {
          const { inputs: checked, failures } = checkInputs(findResource(type), news);
          // The engine does not ask for the difference to what was refused.
          if (failures.length === 0) diff(findResource(type), EMPTY, checked);
          const state = { ...bookkeeping[type], ...news };
          unlessUnreadable(() => diff(findResource(type), state, failures.length === 0 ? checked : inputs));
        }),
        { numRuns: 300 },
      );
    });

    it(`${type}: check is at rest: what it gives passes again unchanged, and equals its own state`, () => {
      const { inputs: once } = checkInputs(findResource(type), inputs);
      expect(checkInputs(findResource(type), once)).to.deep.equal({ inputs: once, failures: [] });
      expect(diff(findResource(type), { ...once, ...bookkeeping[type] }, once).changes).to.deep.equal([]);
    });
  }
});

function unlessUnreadable(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof UnreadableStateError)) throw error;
  }
}

describe("diff of a state of another type, which an alias leads to", () => {
  const set = findResource("EnvVarSet");
  const { inputs } = checkInputs(set, { environmentId: ID, secrets: { A: "1" } });

  it("makes the resource anew: the engine deletes the old one as what it is", () => {
    const single = { environmentId: ID, name: "B", value: "1", hidden: true, onConflict: "fail", variableId: "v" };
    expect(diff(set, single, inputs).replaces).to.deep.equal(["environmentId"]);
  });

  it("is not taken for one of a newer version, which has more than this one knows", () => {
    const state = { ...inputs, revision: "r", observed: { v: 1, names: { t: "A" } }, isNewer: true };
    expect(diff(set, state, inputs).replaces).to.deep.equal([]);
  });
});

describe("inputs that a policy has changed after Check", () => {
  const resource = findResource("EnvVarSet");
  const { inputs } = checkInputs(resource, complete["EnvVarSet"] ?? {});
  const REFUSED = /^the inputs of EnvVarSet are not those that were checked: .*variables\.N must be a string.* policy/u;

  it("are refused where Check would refuse them, and state is not to blame", async () => {
    const changed = { ...inputs, variables: { N: 5 } };
    expect(() => diff(resource, { ...inputs, ...bookkeeping["EnvVarSet"] }, changed)).to.throw(RefusedError, REFUSED);
    const run = startRun(resolveSettings((name) => SETTINGS[name], {}));
    const log = { info: () => undefined, warn: () => undefined, status: () => undefined };
    const ctx = { ...run, log, signal: new AbortController().signal, runsProgram: () => Promise.resolve(true) };
    const error: unknown = await create(resource, ctx, changed).catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(RefusedError).and.to.have.property("message").that.matches(REFUSED);
    await run.client.close();
  });

  it("are no change if Check would bring them into the form that state has", () => {
    const state = { ...inputs, ...bookkeeping["EnvVarSet"] };
    const changed = { ...inputs, scopes: { A: ["worker"], C: [], D: ["worker", "web", "web"] } };
    expect(diff(resource, state, changed).changes).to.deep.equal([]);
    expect(diff(resource, state, { ...changed, scopes: { A: ["web"] } }).changes).not.to.deep.equal([]);
  });
});

describe("check failures", () => {
  const AS_TEXT =
    "store it as text with `pulumi config set --path --type string OBJECT.KEY` (a secret: `pulumi config set --path --secret OBJECT.KEY`). " +
    "In Pulumi YAML, declare `OBJECT: {type: object, secret: true}` in `config`, and use `${OBJECT.KEY}`";
  const texts = (type: string, news: Properties): string =>
    checkInputs(findResource(type), news).failures.map(describeFailure).join("\n");

  it("show what was given only when asked to, and never an entry of a map", () => {
    const { failures } = checkInputs(findResource("EnvVarSet"), {
      environmentId: "shop",
      variables: { A: 5 },
      onConflict: "overwite",
    });
    expect(failures.map(describeFailure).join()).not.to.match(/shop|overwite/u);
    expect(failures.map(describeFailureWithValue)).to.deep.equal([
      'environmentId must be a UUID, but is "shop"',
      `variables.A must be a string, but is a number: quote it, or ${AS_TEXT}`,
      'onConflict must be one of "fail", "overwrite", but is "overwite"',
    ]);
  });

  it("say what to pass when a whole result of variablesFromDotenv stands for a map in it", () => {
    const secrets = { variables: {}, secrets: { TOKEN: "tiger" } };
    expect(texts("EnvVarSet", { environmentId: ID, secrets })).to.equal(
      "secrets.variables must be a string, but is a map: pass that map itself as `secrets`, or, in YAML, where a map of another " +
        "resource has `{}` in place of each Pulumi secret, take the secret from its source\n" +
        "secrets.secrets must be a string, but is a map: pass that map itself as `secrets`",
    );
    // A list takes no map, and a list of services is none.
    expect(texts("EnvVarSet", { environmentId: ID, services: [{ name: "web" }], scopes: { A: {} } })).to.equal(
      "services.0 must be a string, but is a map\nscopes.A must be a list, but is a map",
    );
  });

  it("say to read the file for an asset or archive, which is no map of variables either", () => {
    // As the engine sends `new StringAsset("tiger")` to both hosts: all of its parts are texts.
    const asset = { [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", hash: "c0ffee", text: "tiger" };
    const advice = "is an asset or archive: read the file and pass its text";
    expect(texts("EnvVarSet", { environmentId: ID, secrets: { A: asset }, services: [asset] })).to.equal(
      `secrets.A must be a string, but ${advice}\nservices.0 must be a string, but ${advice}`,
    );
    expect(texts("EnvVar", { environmentId: ID, name: "A", value: asset })).to.equal(`value ${advice}`);
    for (const input of ["variables", "secrets", "triggers"])
      expect(texts("EnvVarSet", { environmentId: ID, [input]: asset })).to.equal(`${input} ${advice}`);
    expect(texts("EnvironmentBranches", { environmentId: ID, rebuildOn: [asset] })).to.equal("");
  });

  it("say the type of a value that has the wrong one, which may be a secret, and never the value", () => {
    const secrets = { PORT: 8080, DEBUG: true, LIST: ["hunter2"], NESTED: { hunter2: 1 }, EMPTY: {} };
    expect(texts("EnvVarSet", { environmentId: ID, secrets, services: "hunter2", prune: "true" })).to.equal(
      [
        `secrets.PORT must be a string, but is a number: quote it, or ${AS_TEXT}`,
        `secrets.DEBUG must be a string, but is a boolean: quote it, or ${AS_TEXT}`,
        `secrets.LIST must be a string, but is a list: if it is JSON of stack config, ${AS_TEXT}`,
        `secrets.NESTED must be a string, but is a map: if it is JSON of stack config, ${AS_TEXT}`,
        "secrets.EMPTY must be a string, but is a map: in YAML, where a map of another resource has `{}` in place of each Pulumi secret, " +
          "take the secret from its source",
        "services must be a list, but is a string",
        "prune must be a boolean, but is a string",
      ].join("\n"),
    );
    // YAML: `state: on`.
    expect(texts("EnvironmentState", { environmentId: ID, state: true })).to.equal(
      'state must be one of "running", "stopped", but is a boolean',
    );
    const { failures } = checkInputs(findResource("EnvironmentBranches"), {
      environmentId: ID,
      rebuildOn: [],
      buildTimeoutSeconds: "900",
    });
    expect(failures.map(describeFailureWithValue)).to.deep.equal([
      "buildTimeoutSeconds must be a number, but is a string",
    ]);
  });

  it("say that an input is missing", () => {
    expect(texts("EnvironmentAction", {})).to.equal(
      "environmentId must be a string, but is missing\n" +
        'action must be one of "stop", "restart", "rebuild", "revive", "cancel", but is missing',
    );
  });

  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY])
    it(`say ${wrong}, which JavaScript takes for a number`, () => {
      expect(texts("SnapshotLoad", { environmentId: ID, sequenceNumber: wrong })).to.equal(
        `sequenceNumber must be a number, but is ${wrong}`,
      );
    });

  it("escape what nobody sees in the name of an entry", () => {
    expect(texts("EnvironmentBranches", { environmentId: ID, branches: { "we\u202Eb": "" } })).to.equal(
      "branches.we\\u{202e}b must not be empty",
    );
  });

  it("name the property that was probably meant", () => {
    expect(texts("EnvVarSet", { environmentId: ID, secret: {} })).to.equal(
      'secret is not a property of EnvVarSet. Did you mean "secrets"?',
    );
  });

  it("never hold a secret, whatever it is and whatever is wrong beside it", () => {
    const secret = fc.string({ minLength: 6, unit: "grapheme" }).map((middle) => `<<${middle}>>`);
    fc.assert(
      fc.property(secret, fc.constantFrom("", ".", "A\n", "A"), fc.boolean(), (value, name, twice) => {
        const text = texts("EnvVarSet", {
          environmentId: "none",
          secrets: { [name]: value, Z: [value] },
          variables: twice ? { [name]: value } : {},
          keep: ["x"],
        });
        expect(text).not.to.contain(value);
      }),
    );
  });

  it("hold for an unpaired surrogate, in values, lists and names, without the value", () => {
    const secrets = { A: "hunter2\ud83c" };
    const variables = { "B\udf89": "x" };
    const found = texts("EnvVarSet", { environmentId: ID, secrets, variables, keep: ["x", "\ud83c"] });
    for (const path of ["secrets.A", "a name in variables", "keep.1"])
      expect(found).to.contain(`${path} contains an unpaired surrogate`);
    expect(found).not.to.contain("hunter2");
  });

  it("do not hold for an asset within `rebuildOn`, which has the engine's own key", () => {
    const asset = { [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", hash: "h", text: "t" };
    const rebuildOn = [asset, { nested: asset }];
    const { inputs, failures } = checkInputs(findResource("EnvironmentBranches"), { environmentId: ID, rebuildOn });
    expect(failures).to.deep.equal([]);
    expect(inputs["rebuildOn"]).to.deep.equal(rebuildOn);
  });

  for (const [type, map] of [
    ["EnvVarSet", "variables"],
    ["EnvironmentBranches", "branches"],
  ] as const)
    it(`hold for an entry of ${map} called __proto__: taken or refused, never lost without a word`, () => {
      const news: Properties = JSON.parse(`{"environmentId":"${ID}","${map}":{"__proto__":"x","A":"1"}}`);
      const { inputs, failures } = checkInputs(findResource(type), news);
      const kept = isMap(inputs[map]) && Object.hasOwn(inputs[map], "__proto__");
      expect(kept || failures.length > 0).to.equal(true);
    });
});

/** What a template literal makes of a value. */
function inText(value: unknown): string {
  return String(value);
}

const output = pulumi.output("hunter2");

/** What the SDKs of Pulumi and the languages make of an Output within a text, as they have it, and the way out of each language. */
const REFUSED: readonly (readonly [what: string, text: string, way: string])[] = [
  ["a template literal", `https://${inText(output)}/`, "`pulumi.interpolate`"],
  ["JSON", JSON.stringify({ a: [output] }), "`pulumi.jsonStringify`"],
  ["a part of an address", encodeURIComponent(inText(output)), "`pulumi.interpolate`"],
  [
    "the name of a branch",
    inText(output)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/gu, "-"),
    "`pulumi.interpolate`",
  ],
  ["the beginning of a text", inText(output).slice(0, 32), "`pulumi.interpolate`"],
  [
    "an f-string",
    "x Calling __str__ on an Output[T] is not supported.",
    "`pulumi.Output.format` or `pulumi.Output.concat`",
  ],
  ["a list in Python", "[<pulumi.output.Output object at 0x7f3a>]", "`pulumi.Output.format` or `pulumi.Output.concat`"],
  ["C#", "x Calling [ToString] on an [Output<T>] is not supported.", "`Output.Format`"],
  ["Java", "x Calling 'toString' on an 'Output<T>' is not supported.", "`Output.format`"],
  ["Go by %v", "https://{0xc000137180}/", "`pulumi.Sprintf`"],
  ["Go by %s", "https://{%!s(*internal.OutputState=0xc000137180)}/", "`pulumi.Sprintf`"],
  ["Go 1.26 by %v", "feature-{0xdb226291730}", "`pulumi.Sprintf`"],
  ["Go 1.26 by %+v", "x{OutputState:0x32de3dbc6d20}", "`pulumi.Sprintf`"],
  ["Go 1.26 by %s", "{%!s(*internal.OutputState=&{0x7c847be1d40 <nil> 0 <nil> false true []})}", "`pulumi.Sprintf`"],
  ["Go by %#v", "pulumi.StringOutput{OutputState:(*internal.OutputState)(0xc000137180)}", "`pulumi.Sprintf`"],
  ["a Promise", `${inText(Promise.resolve("hunter2"))}/x`, "Await it"],
  ["an object", `x ${inText({ hunter2: 1 })}`, "Name the property of it that is meant"],
  ...[
    "x<pulumi_previewenv.environment_state.EnvironmentState object at 0x7f43ab6323d0>",
    "<__main__.main.<locals>.Hunter2 object at 0x000001F2B3C4D5E0>",
    "feature-com.example.previewenv.EnvironmentState@1439b2e7/x",
    "<function main.<locals>.hunter2 at 0x7f43ab6323d0>",
    "x<function <lambda> at 0x7f43ab6323d0>",
    "<generator object main.<locals>.<genexpr> at 0x7f43ab6323d0>",
    "<bound method Hunter2.url of <__main__.Hunter2 object at 0x7f43ab6323d0>>",
    "<built-in method hunter2 of str object at 0x7f43ab6323d0>",
    "com.pulumi.core.Either$LeftEither@5f3b1",
    "[Ljava.lang.String;@1b6d3586",
  ].map((text) => [`an object: ${text}`, text, "Name the property of it that is meant"] as const),
  ...[
    "<coroutine object main.<locals>.hunter2 at 0x7f43ab77e770>",
    "<Task pending name='Task-2' coro=<hunter2() running at main.py:4>>",
    "https://<Future pending>/",
    "<_GatheringFuture finished result=['hunter2']>",
    "<Task cancelling name='Task-2'>",
    "<Future at 0x7f43ab6323d0 state=finished returned str>",
    "java.util.concurrent.CompletableFuture@7a79be86[Not completed]",
    "x System.Threading.Tasks.Task`1[System.String]",
    "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1[System.String,Program+<F>d__0]",
  ].map((text) => [`what is not computed yet: ${text}`, text, "Await it"] as const),
  ...["Optional[hunter2\n]", "Optional.empty"].map(
    (text) => [`what may be missing: ${text}`, text, "Take its value with `orElseThrow`"] as const,
  ),
  ...["AT=%!s(*string=0x11a44ee66830)", "%!q(*bool=0x15e65706028)/x", "%!s(*int=<nil>)"].map(
    (text) => [`an optional output in Go: ${text}`, text, "Pass `.Elem()` of the optional output"] as const,
  ),
];

describe("a text into which a program has put what is no text", () => {
  for (const [what, given, way] of REFUSED)
    it(`is recognised, and the way out is the language's: ${what}`, () => {
      const problem = outputInText(given);
      expect(problem?.endsWith(way), problem).to.equal(true);
      expect(problem).not.to.contain("hunter2");
    });

  it("is none of these", () => {
    for (const given of [
      "",
      "calling it on an output",
      "[object Window]",
      "{0xc0}",
      "{0x001122334455}",
      "{0x52908400098527886E0F7030069857D2E4169EE7}",
      "Output<T>",
      "Calling str()",
      "<b>an object at 0x7f</b>",
      "<Task pendings>",
      "<a href='x'>look at 0x7f43ab6323d0</a>",
      "<script.Object object at home>",
      "someone@deadbeef",
      "java.util@deadbeef.example",
      "ops.previewenv.team@beef.example",
      "Com.Pulumi.User@cafe.example",
      "com.acme.previewenv.Shop@1.2.3",
      "com.acme.previewenv.Shop@12345.2",
      "ops.previewenv.Alerts@example.com",
      "ops.previewenv.Alerts@decade-five.example",
      "ops.previewenv.Alerts@1439b2e7f",
      "<html><!-- com.pulumi.X@abc --></html>",
      "java.util.logging.Logger@debug",
      "java.util.logging.ConsoleHandler",
      "com.example.previewenv.EnvironmentState",
      "redis://:a[B@1b6d3586",
      "System.Threading.Tasks.Task",
      "System.Collections.Generic.List`1[[System.String, mscorlib]]",
      "an Optional[str]",
      "Optional",
      "Optional.emptyList",
      "%!s(string=0x11a4)",
      "%!d(*string=x)",
      "%".repeat(99_999),
    ])
      expect(outputInText(given), given.slice(0, 99)).to.equal(undefined);
    // In a time that does not grow with the square of its length.
    for (const start of [
      "calling",
      "<",
      "<a.b object",
      "<a at 0x",
      "<lambda>",
      "java.util.",
      ".previewenv.a",
      "Optional[",
      "%!s(*",
    ])
      for (const part of ["%5B", start]) {
        const given = start + part.repeat(99_999);
        expect(outputInText(given), given.slice(0, 99)).to.equal(undefined);
      }
  });
});
