/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { setImmediate } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { functions } from "../../provider/src/functions";
import type { InputKind } from "../../provider/src/framework/missing-value-text";
import { resources } from "../../provider/src/resources";
import * as dynamic from "../../sdk/nodejs";
import { EnvironmentBranches, EnvVarSet, getEnvironments, getEnvironmentsOutput } from "../../sdk/nodejs";
import { inputKinds, propertiesOf } from "../../tools/generate/properties";
import { endStage, environmentId, hosts, read, type Stage, startStage, unhandled, unknownOutput } from "./stage";

/** What a program may pass that has no value, and how the path goes on. Outputs are seen once they are known. */
const plain: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
];
const later: readonly (readonly [string, () => unknown])[] = [
  ["an Output of undefined", () => pulumi.output(undefined)],
  ["an Output of null", () => pulumi.output(null)],
  ["a secret undefined", () => pulumi.secret(undefined)],
  ["a Promise of undefined", () => Promise.resolve(undefined)],
];

/** The same within a map or a list: with the path that is named. */
function within(kind: InputKind | undefined): readonly (readonly [string, (one: unknown) => unknown])[] {
  if (kind === "map") return [[".A.b", (one) => ({ OTHER: "1", "A.b": one })]];
  return kind === "list" ? [["[1]", (one) => ["1", one]]] : [];
}

/** Whether an action is refused: at once, or as the end of the program. */
async function refusal(stage: Stage, action: () => unknown): Promise<string> {
  let refused = "";
  const errors = await unhandled(() => {
    try {
      void Promise.resolve(action()).catch((error: unknown) => void Promise.reject(error));
    } catch (error) {
      refused = String(error);
      void Promise.reject(error);
    }
  });
  expect(new Set(errors.map(String))).to.have.lengthOf(1);
  expect(stage.registered.filter(({ name }) => name === "it")).to.deep.equal([]);
  return refused === "" ? String(errors[0]) : refused;
}

/** The errors with which a program ends that constructs this. */
async function failureOf(entry: object, type: string, args: object): Promise<string> {
  const make = (): unknown => Reflect.construct(Reflect.get(entry, type), ["it", args]);
  const errors = await unhandled(() => void (async () => make())());
  return errors.map(String).join("\n");
}

describe("an input without a value", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startStage({ real: true });
  });
  afterEach(() => endStage());

  for (const { host, entry } of hosts)
    for (const { type, inputs } of resources) {
      const kinds = inputKinds(propertiesOf(inputs, "input"));
      const make = (args: object): unknown => Reflect.construct(Reflect.get(entry, type), ["it", args]);
      for (const name of Object.keys(inputs.shape)) {
        const kind = kinds[name];
        it(`is refused: ${name} of ${type} (${host})`, async () => {
          const refuses = async (given: unknown, path: string): Promise<void> => {
            stage = await startStage({ real: true });
            expect(await refusal(stage, () => make({ [name]: given }))).to.contain(
              `${type} "it": ${path} has no value: `,
            );
          };
          for (const [, value] of plain) if (kind !== "default" || value === null) await refuses(value, name);
          for (const [, value] of later) await refuses(value(), name);
          for (const [path, wrap] of within(kind)) {
            for (const [, value] of plain) await refuses(wrap(value), name + path);
            for (const [, value] of later) await refuses(wrap(value()), name + path);
            await refuses(pulumi.output(wrap(undefined)), name + path);
            await refuses(
              pulumi.output("").apply(() => wrap(pulumi.output(null))),
              name + path,
            );
          }
        });
      }
    }

  for (const { host, entry } of hosts)
    for (const { name: called, inputs, isWrittenInTypeScript } of functions) {
      if (isWrittenInTypeScript) continue;
      const kinds = inputKinds(propertiesOf(inputs, "input"));
      for (const name of Object.keys(inputs.shape))
        it(`is refused: ${name} of ${called} (${host})`, async () => {
          const call = (form: string, value: unknown): unknown =>
            Reflect.apply(Reflect.get(entry, called + form), undefined, [{ [name]: value }]);
          const refuses = async (form: string, value: unknown): Promise<void> => {
            expect(await refusal(stage, () => call(form, value))).to.contain(`${called}: ${name} has no value: `);
          };
          for (const form of ["", "Output"])
            for (const [, value] of plain) if (kinds[name] !== "default" || value === null) await refuses(form, value);
          for (const [, value] of later) await refuses("Output", value());
          expect(stage.invoked).to.deep.equal([]);
        });
    }

  for (const { host, entry } of hosts)
    for (const name of ["apiToken", "baseUrl", "maxRetries", "previewChecks"])
      it(`is refused: ${name} of a Provider (${host}), which would be that of stack config`, async () => {
        pulumi.runtime.setAllConfig({ [`previewenv:${name}`]: "1" });
        const make = (value: unknown): unknown =>
          Reflect.construct(Reflect.get(entry, "Provider"), ["it", { [name]: value }]);
        const values = [...plain.map(([, value]) => value), ...later.map(([, made]) => made())];
        for (const value of [...values, "", pulumi.output("")])
          expect(await refusal(stage, () => make(value))).to.contain(`Provider "it": ${name} has no value: `);
      });

  for (const { host, entry } of hosts)
    for (const dropped of ["environmentId", "variables", "secrets"])
      it(`is refused also if a function in \`transformations\` replaces ${dropped}, which was known later, too (${host})`, async () => {
        const given = {
          environmentId: pulumi.output(environmentId),
          variables: { A: pulumi.output("1") },
          secrets: { B: pulumi.output("2") },
          [dropped === "secrets" ? "variables" : "secrets"]: { LATE: pulumi.output(undefined) },
        };
        const plainly = { environmentId, variables: { A: "1" }, secrets: { B: "2" } };
        const transformations: readonly pulumi.ResourceTransformation[] = [
          ({ props, opts }) => ({ props: { ...props, [dropped]: Reflect.get(plainly, dropped) }, opts }),
        ];
        const make = (): unknown =>
          Reflect.construct(Reflect.get(entry, "EnvVarSet"), ["it", given, { transformations }]);
        expect(await refusal(stage, make)).to.contain(".LATE has no value");
      });

  for (const { host, entry } of hosts)
    for (const input of ["variables", "secrets"])
      it(`is refused also if a function in \`transformations\` takes the others out of an Output of ${input} (${host})`, async () => {
        const given = pulumi.output({ A: "1", LATE: pulumi.output(undefined) });
        const transformations: readonly pulumi.ResourceTransformation[] = [
          ({ props, opts }) => ({ props: { ...props, [input]: { A: props[input].A } }, opts }),
        ];
        const args = { environmentId, [input]: given };
        const make = (): unknown =>
          Reflect.construct(Reflect.get(entry, "EnvVarSet"), ["it", args, { transformations }]);
        expect(await refusal(stage, make)).to.contain(".LATE has no value");
        // The program's own Output waits for nothing.
        expect((await read(given)).value).to.deep.equal({ A: "1", LATE: undefined });
      });

  const componentArgs: readonly (readonly [type: string, args: object, path: string])[] = [
    ["PreviewEnvironment", { environment: undefined }, 'PreviewEnvironment "it": environment'],
    [
      "PreviewEnvironment",
      { environment: { pullRequestNumber: undefined } },
      'getEnvironment of PreviewEnvironment "it": pullRequestNumber',
    ],
    ["PreviewEnvironment", { variableSets: undefined }, 'PreviewEnvironment "it": variableSets'],
    ["PreviewEnvironment", { variableSets: { app: { prune: null } } }, 'EnvVarSet "it-app": prune'],
    ["PreviewEnvironment", { branches: undefined }, 'PreviewEnvironment "it": branches'],
    ["PreviewEnvironment", { branches: { web: undefined } }, 'EnvironmentBranches "it-branches": branches.web'],
    ["PreviewEnvironment", { rebuildOn: null }, 'PreviewEnvironment "it": rebuildOn'],
    ["PreviewEnvironment", { requires: undefined }, 'PreviewEnvironment "it": requires'],
    ["PreviewEnvironment", { state: null }, 'PreviewEnvironment "it": state'],
    ["PreviewEnvironments", { exclude: undefined }, 'PreviewEnvironments "it": exclude'],
    ["PreviewEnvironments", { whenStopped: null }, 'PreviewEnvironments "it": whenStopped'],
    [
      "PreviewEnvironments",
      { match: { repoName: undefined } },
      'getEnvironments of PreviewEnvironments "it": repoName',
    ],
  ];
  for (const { host, entry } of hosts)
    for (const [type, args, path] of componentArgs)
      it(`is refused: ${path} of a component (${host})`, async () => {
        const own = type === "PreviewEnvironment" ? { environment: { id: environmentId } } : { match: { name: "a" } };
        expect(await failureOf(entry, type, { ...own, ...args })).to.contain(`${path} has no value: `);
        expect(stage.registered.filter(({ name }) => name !== "it")).to.deep.equal([]);
      });
});

describe("the text about an input without a value", () => {
  afterEach(() => endStage());

  it("names the paths of an input, at most ten, and what to write instead", async () => {
    const stage = await startStage({ real: true });
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`N${index}`, pulumi.output(undefined)]));
    const text = (args: object): Promise<string> =>
      refusal(stage, () => Reflect.construct(dynamic.EnvVarSet, ["it", { environmentId, ...args }]));

    expect(await text({ variables: { API_URL: pulumi.output(undefined) } })).to.equal(
      'Error: EnvVarSet "it": variables.API_URL has no value: an output or a setting that it comes from does not exist. ' +
        "Leave the name out, or give it a value.",
    );
    expect(await text({ services: undefined })).to.contain(
      "Leave the name out (in TypeScript: `...(services && { services })`), or give it a value (`[]` when every service is meant).",
    );
    expect(await text({ environmentId: undefined }))
      .to.contain("environmentId has no value: ")
      .and.contain("It is required: give it a value.");
    expect(await text({ secrets: pulumi.output(null) })).to.contain("(`{}` when no entry is meant).");
    expect(await text({ services: ["web", null] }))
      .to.contain("services[1] has no value: ")
      .and.contain("Leave the item");
    expect(await text({ variables: { "A\u001B[2J": undefined } })).to.contain("variables.A\\u{1b}[2J has no value: ");
    expect(await text({ variables: many })).to.contain("variables.N9 and 2 more have no value: ");
  });
});

describe("inputs with values", () => {
  afterEach(() => endStage());

  it("leave out what is plainly undefined, where that has a default", async () => {
    const stage = await startStage({ real: true });
    new dynamic.EnvVarSet("vars", { environmentId, variables: {}, prune: undefined, onConflict: undefined });
    expect((await stage.find("vars")).inputs).not.to.have.any.keys("prune", "onConflict");
  });

  it("may have anything in rebuildOn", async () => {
    const stage = await startStage({ real: true });
    const rebuildOn = [undefined, null, pulumi.output(undefined), { a: null }, "1"];
    new dynamic.EnvironmentBranches("branches", { environmentId, rebuildOn });
    expect((await stage.find("branches")).inputs["rebuildOn"]).to.have.lengthOf(5);
  });

  it("keep what they depend on", async () => {
    const stage = await startStage({ real: true });
    const first = new dynamic.EnvVarSet("first", { environmentId, variables: { A: "1" } });
    new dynamic.EnvironmentBranches("branches", { environmentId, rebuildOn: [first.id] });
    new dynamic.EnvVar("second", { environmentId, name: "B", value: first.id });
    const { request } = await stage.find("second");
    expect(request.getPropertydependenciesMap().get("value")?.getUrnsList()).to.have.lengthOf(1);
  });

  it("are not looked at while a preview does not know them", async () => {
    const stage = await startStage({ real: true, preview: true });
    const variables = {
      A: unknownOutput<string>(),
      B: pulumi.all([unknownOutput<string>(), ""]).apply(([one]) => one),
    };
    new dynamic.EnvVarSet("vars", { environmentId, variables, services: unknownOutput<string[]>() });
    expect((await stage.find("vars")).inputs).to.have.property("services");
  });

  it("are refused in a preview that knows them", async () => {
    const stage = await startStage({ real: true, preview: true });
    const variables = { A: unknownOutput<string>(), B: pulumi.output<string>(Reflect.get({}, "none")) };
    expect(await refusal(stage, () => new dynamic.EnvVarSet("it", { environmentId, variables }))).to.contain(
      "variables.B has no value",
    );
  });

  it("are not looked at under the mocks of a unit test, unless they are plain", async () => {
    const stage = await startStage();
    const none = pulumi.output<string>(Reflect.get({}, "none"));
    new dynamic.EnvVarSet("vars", { environmentId, variables: { A: none } });
    const found = dynamic.getEnvironmentOutput({ repoName: none });
    expect((await stage.find("vars")).inputs).to.have.property("variables");
    expect(await read(found)).to.include({ known: true });
    expect(() => new dynamic.EnvVarSet("it", { environmentId, variables: { A: Reflect.get({}, "none") } })).to.throw(
      pulumi.RunError,
      "variables.A has no value",
    );
    await setImmediate();
  });
});

class Vault {
  readonly A = "hunter2";
}

describe("what the Pulumi SDK cannot carry", () => {
  afterEach(() => endStage());

  for (const [what, property, value, text] of [
    [
      "a Map",
      "secrets",
      new Map([["A", "hunter2"]]),
      /secrets is a Map: .* would not send what is in it\. Pass a plain object /u,
    ],
    ["a Set", "services", new Set(["web"]), /services is a Set: .* a list \(`\[\.\.\.set\]`\)/u],
    ["a Date", "variables", { NOW: new Date(0) }, /variables\.NOW is a Date: .*toISOString/u],
    ["an instance of a class", "secrets", new Vault(), /secrets is a Vault: .*Pass a plain object/u],
    ["a function", "variables", { A: "1", B: () => "hunter2" }, /variables\.B is a function: .*Call it/u],
    [
      "a name that it would lose",
      "secrets",
      JSON.parse('{"__proto__": "hunter2"}'),
      /secrets has an entry named "__proto__"/u,
    ],
    ["an unpaired surrogate", "secrets", { A: "hunter2\ud83c" }, /secrets\.A contains an unpaired surrogate/u],
    [
      "an unpaired surrogate in a name",
      "variables",
      { "A\udf89": "hunter2" },
      /a name in variables contains an unpaired/u,
    ],
  ] as const)
    it(`is refused: ${what} as ${property}`, async () => {
      const stage = await startStage({ real: true });
      const make = (given: unknown): unknown =>
        Reflect.construct(EnvVarSet, ["it", { environmentId, [property]: given }]);

      for (const given of [value, pulumi.output("").apply(() => Promise.resolve(value))])
        expect(await refusal(stage, () => make(given)))
          .to.match(text)
          .and.not.contain("hunter2");
    });

  it("is not what is plain: without a prototype, of another context, the environment of the process", async () => {
    const stage = await startStage();
    const bare: Record<string, string> = Object.assign(Object.create(null), { A: "1" });
    const foreign: Record<string, string> = runInNewContext('({ B: "2" })');
    Reflect.construct(EnvVarSet, [
      "plain",
      { environmentId, variables: bare, triggers: foreign, secrets: process.env },
    ]);
    new EnvironmentBranches("b", { environmentId, rebuildOn: [Promise.resolve(1), [pulumi.output(2)]] });

    expect((await stage.find("plain")).inputs).to.deep.include({ variables: { A: "1" }, triggers: { B: "2" } });
    expect((await stage.find("b")).inputs["rebuildOn"]).to.have.length(2);
  });

  it("is refused as the arguments of a function, which would then filter nothing", async () => {
    await startStage();
    const text = "getEnvironments: the arguments must be a plain object.";
    const map = new Map([["repoName", "web"]]);

    expect(() => Reflect.apply(getEnvironmentsOutput, undefined, [map])).to.throw(pulumi.RunError, text);
    const refused: unknown = await Reflect.apply(getEnvironments, undefined, [map]).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(pulumi.RunError).with.property("message", text);
  });
});

/** What a template literal makes of an Output. */
const warning = ["https://", pulumi.output("hunter2")].map((part: unknown) => String(part)).join("");
const DESCRIBED =
  "holds a description of an Output instead of its value. Put the text together with `pulumi.interpolate`.";

describe("a text that an Output was put into", () => {
  afterEach(() => endStage());
  const environment = { id: environmentId };
  const match = { repoName: "web" };
  const refused: readonly (readonly [type: string, args: object, path: string])[] = [
    ["EnvVarSet", { variables: { URL: warning } }, 'EnvVarSet "it": variables.URL'],
    ["EnvVarSet", { variables: { [warning]: "1" } }, 'EnvVarSet "it": a name in variables'],
    ["EnvVarSet", { variables: pulumi.output({ URL: warning }) }, 'EnvVarSet "it": variables.URL'],
    ["EnvironmentBranches", { rebuildOn: [{ of: [warning] }] }, 'EnvironmentBranches "it": rebuildOn[0].of[0]'],
    ["Provider", { baseUrl: warning }, 'Provider "it": baseUrl'],
    [
      "PreviewEnvironment",
      { environment, variableSets: { a: { secrets: { A: warning } } } },
      'EnvVarSet "it-a": secrets.A',
    ],
    ["PreviewEnvironment", { environment, variableSets: { [warning]: {} } }, "the name of EnvVarSet"],
    ["PreviewEnvironment", { environment: { name: warning } }, 'getEnvironment of PreviewEnvironment "it": name'],
    ["PreviewEnvironments", { match: { branch: warning } }, 'getEnvironments of PreviewEnvironments "it": branch'],
    ["PreviewEnvironments", { match, excludeNames: [warning] }, 'PreviewEnvironments "it": excludeNames: '],
  ];
  for (const { host, entry } of hosts) {
    for (const [type, args, path] of refused)
      it(`is refused: ${path.slice(0, 80)} (${host})`, async () => {
        const stage = await startStage({ real: true });
        const own = /^(?:Provider|PreviewEnvironments?)$/u.test(type) ? {} : { environmentId };
        const text = await failureOf(entry, type, { ...own, ...args });
        expect(text).to.contain(path).and.contain(DESCRIBED.slice(0, -1)).and.not.contain("hunter2");
        const types = stage.registered.map((one) => one.type);
        expect(types.filter((registered) => !registered.includes(":PreviewEnvironment"))).to.deep.equal([]);
      });

    it(`is refused: the name of a resource, of a component and of a Provider (${host})`, async () => {
      const stage = await startStage({ real: true });
      for (const [type, args] of [
        ["EnvVarSet", {}],
        ["Provider", {}],
        ["PreviewEnvironment", { environment }],
      ] as const)
        expect(() => Reflect.construct(Reflect.get(entry, type), [warning, { environmentId, ...args }])).to.throw(
          pulumi.RunError,
          `the name of ${type} ${DESCRIBED}`,
        );
      expect(stage.registered).to.deep.equal([]);
    });

    it(`is refused: an argument of a function, in both forms (${host})`, async () => {
      const stage = await startStage({ real: true });
      for (const form of ["", "Output"]) {
        const call = (): unknown =>
          Reflect.apply(Reflect.get(entry, `getEnvironments${form}`), undefined, [{ branch: warning }]);
        expect(await refusal(stage, call)).to.contain(`getEnvironments: branch ${DESCRIBED}`);
      }
      expect(stage.invoked).to.deep.equal([]);
    });
  }
});

describe("a resource in the place of one of its outputs", () => {
  afterEach(() => endStage());
  const refused: readonly (readonly [what: string, place: (vars: pulumi.Resource) => object, path: string])[] = [
    ["in rebuildOn", (vars) => ({ rebuildOn: [vars] }), "rebuildOn[0]"],
    ["deep in rebuildOn", (vars) => ({ rebuildOn: ["1", { of: [vars] }] }), "rebuildOn[1].of[0]"],
    ["as an Output", (vars) => ({ rebuildOn: [pulumi.output(vars)] }), "rebuildOn[0]"],
    ["in an Output of the list", (vars) => ({ rebuildOn: pulumi.all([vars]) }), "rebuildOn[0]"],
    ["as a Promise", (vars) => ({ rebuildOn: [Promise.resolve({ vars })] }), "rebuildOn[0].vars"],
  ];
  for (const { host, entry } of hosts) {
    const make = (type: string, args: object): unknown => Reflect.construct(Reflect.get(entry, type), ["it", args]);
    for (const [what, place, path] of refused)
      it(`is refused, because its id never changes: ${what} (${host})`, async () => {
        const stage = await startStage({ real: true });
        const vars = new entry.EnvVarSet("vars", { environmentId, variables: {} });
        expect(await refusal(stage, () => make("EnvironmentBranches", { environmentId, ...place(vars) }))).to.contain(
          `EnvironmentBranches "it": ${path} is a resource. Pass its \`revision\`, or another of its outputs.`,
        );
      });

    it(`is refused in triggers, in a component, and of every kind (${host})`, async () => {
      const stage = await startStage({ real: true });
      const vars = new entry.EnvVarSet("vars", { environmentId, variables: {} });
      const other = new entry.EnvVar("other", { environmentId, name: "A", value: "1" });
      for (const [type, args, text] of [
        [
          "EnvironmentAction",
          { environmentId, action: "rebuild", triggers: { vars } },
          "triggers.vars is a resource. Pass its `revision`, or another of its outputs.",
        ],
        [
          "EnvVarSet",
          { environmentId, variables: { other } },
          "variables.other is a resource. Pass one of its outputs.",
        ],
        ["EnvVarSet", { environmentId: vars }, "environmentId is a resource. Pass one of its outputs."],
        [
          "PreviewEnvironment",
          { environment: { id: environmentId }, rebuildOn: [vars] },
          "rebuildOn[0] is a resource. Pass its `revision`, or another of its outputs.",
        ],
      ] as const) {
        expect(await failureOf(entry, type, args)).to.contain(text);
      }
      expect(stage.registered.map(({ name }) => name)).not.to.contain.oneOf(["it-branches"]);
    });
  }
});
