/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { startSandbox } from "../../provider/src/sandbox";
import { PreviewEnvironments, type PreviewEnvironmentsArgs, Provider } from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { CART, MAIN, SHOP } from "./environments";
import { endStage, read, type Stage, startStage, unhandled, unknownOutput } from "./stage";

const match = { repoName: "web" };
const each: PreviewEnvironmentsArgs["each"] = () => ({ variableSets: { app: { variables: { A: "1" } } } });

const isCart = ({ id }: { readonly id: string }): boolean => id === CART.id;

/** What must fail, or Pulumi would delete what earlier runs declared. */
describe("PreviewEnvironments: the program fails", () => {
  const begin = (answer: () => Record<string, unknown>, options: { readonly preview?: boolean } = {}) =>
    startStage({ ...options, call: answer });
  const listed = (): Record<string, unknown> => ({ environments: [SHOP, CART, MAIN] });
  const names = (stage: Stage): readonly string[] => stage.registered.map(({ name }) => name);
  /** The one error with which the program ends. */
  const failureOf = async (args: object): Promise<string> => {
    const errors = await unhandled(() => {
      // The program itself handles the failure.
      const made: pulumi.Output<unknown> = Reflect.get(
        Reflect.construct(PreviewEnvironments, ["all", args]),
        "environments",
      );
      read(made).catch(() => undefined);
    });
    expect(errors).to.have.length(1);
    expect(errors[0]).to.be.instanceOf(pulumi.RunError);
    return errors[0] instanceof Error ? errors[0].message : "";
  };
  afterEach(() => endStage());

  it("when the list cannot be read", async () => {
    await using sandbox = await startSandbox();
    sandbox.faults.add({ label: "GET /environments", status: 403, times: Infinity });
    const stage = await startStage({ real: true });
    const provider = new Provider("mine", { baseUrl: sandbox.url, apiToken: sandbox.token });

    const [error] = await unhandled(() => new PreviewEnvironments("all", { match, each }, { provider }));

    expect(error).to.be.instanceOf(pulumi.RunError);
    expect(String(error)).to.include("Could not list environments").and.include("403");
    expect(names(stage)).to.have.members(["mine", "all"]);
  });

  it("when the answer has no list", async () => {
    const stage = await begin(() => ({}));

    expect(await failureOf({ match, each })).to.equal(
      'PreviewEnvironments "all": the answer to getEnvironments has no list `environments`.',
    );
    expect(names(stage)).to.deep.equal(["all"]);
  });

  for (const [what, value] of [
    ["is not known in a preview", unknownOutput<string>],
    ["is not known by one of its filters", () => pulumi.all([unknownOutput<string>()]).apply(([name]) => name)],
  ] as const)
    it(`when match ${what}`, async () => {
      const stage = await begin(listed, { preview: true });

      expect(await failureOf({ match: { repoName: value() }, each })).to.include(
        "match, or a setting of its provider, is not known in this preview",
      );
      expect(names(stage)).to.deep.equal(["all"]);
    });

  it("when a filter turns out to have no value, so that more environments would match", async () => {
    const stage = await startStage({ real: true });

    expect(await failureOf({ match: { orgName: "acme", repoName: pulumi.output(undefined) }, each })).to.include(
      "repoName has no value: an output or a setting that it comes from does not exist. Leave the name out",
    );
    expect(names(stage)).to.deep.equal(["all"]);
  });

  for (const [host, Class, OneProvider] of [
    ["dynamic", PreviewEnvironments, Provider],
    ["native", native.PreviewEnvironments, native.Provider],
  ] as const)
    it(`when a preview does not know the settings of its provider (${host})`, async () => {
      const stage = await startStage({ preview: true, real: true, call: listed });
      const provider = new OneProvider("mine", { baseUrl: unknownOutput<string>(), apiToken: "t" });

      const [error] = await unhandled(() => new Class("all", { match, each }, { provider }));

      expect(String(error)).to.include('PreviewEnvironments "all": match, or a setting of its provider, is not known');
      expect(names(stage)).to.have.members(["all", "mine"]);
    });

  for (const [what, args, text] of [
    [
      "each throws",
      { match, each: (one: typeof CART) => (isCart(one) ? Reflect.get(one, "a").b : each(one)) },
      /TypeError: Cannot read properties of undefined \(reading 'b'\) \(at .*preview-environments-failures/u,
    ],
    [
      "each returns no object",
      { match, each: (one: typeof CART) => (isCart(one) ? Promise.resolve({}) : each(one)) },
      /each must return an object/u,
    ],
    [
      "each misspells a property",
      { match, each: (one: typeof CART) => (isCart(one) ? { variableSet: {} } : each(one)) },
      /each: there is no property "variableSet"\. There are: variableSets,/u,
    ],
    [
      "each says something wrong of a set",
      {
        match,
        each: (one: typeof CART) =>
          isCart(one) ? { variableSets: { app: { variables: { A: undefined } } } } : each(one),
      },
      /each: variableSets\.app\.variables\.A has no value/u,
    ],
    [
      "exclude throws",
      {
        match,
        each,
        exclude: (one: typeof CART) => {
          if (isCart(one)) throw new pulumi.RunError("no label");
          return false;
        },
      },
      /no label$/u,
    ],
    [
      "exclude returns a promise",
      { match, each, exclude: (one: typeof CART) => (isCart(one) ? Promise.resolve(false) : false) },
      /exclude must return true or false/u,
    ],
  ] as const)
    it(`when ${what} for one environment, and the others are declared`, async () => {
      const stage = await begin(listed);

      const text1 = await failureOf(args);

      expect(text1).to.include(
        'PreviewEnvironments "all": 1 of 3 environments cannot be declared. This run deletes nothing.',
      );
      expect(text1).to.include(`  - "cart-pr-8" (${CART.id}): `);
      expect(text1).to.match(text);
      const sets = names(stage).filter((name) => name.endsWith("-app"));
      expect(sets).to.have.members([`${SHOP.id}-app`, `${MAIN.id}-app`]);
    });

  it("and names ten environments at most", async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ ...SHOP, id: `${index}`, name: `shop-${index}` }));
    await begin(() => ({ environments: many }));

    const text = await failureOf({ match, each: () => null });

    expect(text.split("\n")).to.have.length(11);
    expect(text).to.match(/^[^\n]*12 of 12 environments/u);
  });
});

describe("PreviewEnvironments refuses", () => {
  afterEach(() => endStage());
  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ["nothing", undefined, /the second argument must be an object/u],
    [
      "a misspelt property",
      { match, each, excludes: each },
      /no property "excludes"\. There are: match, exclude, each, whenStopped/u,
    ],
    ["no each", { match }, /each must be a function/u],
    ["exclude that is no function", { match, each, exclude: ["main"] }, /exclude must be a function/u],
    [
      "an unknown onUnlisted",
      { match, each, onUnlisted: "retain" },
      /onUnlisted must be "keep" or "delete", as plain text/u,
    ],
    [
      "onUnlisted as an Output",
      { match, each, onUnlisted: pulumi.output("delete") },
      /onUnlisted must be "keep" or "delete"/u,
    ],
    ["no match", { each }, /match must be an object/u],
    ["an Output as match", { match: pulumi.output(match), each }, /match must be an object/u],
    ["a match that every environment fits", { match: {}, each }, /match needs at least one filter \(name, orgName,/u],
    ["a filter without a value", { match: { ...match, orgName: undefined }, each }, /match\.orgName has no value/u],
    [
      "a misspelt filter",
      { match: { repo: "web" }, each },
      /no property "match\.repo"\. There are: name, orgName, repoName,/u,
    ],
    ["deleted environments", { match: { ...match, deleted: true }, each }, /no property "match\.deleted"/u],
  ];
  for (const [what, args, text] of wrong)
    it(`${what}, and declares nothing`, async () => {
      const stage = await startStage();

      expect(() => Reflect.construct(PreviewEnvironments, ["all", args])).to.throw(pulumi.RunError, text);

      expect(stage.registered).to.deep.equal([]);
    });
});
