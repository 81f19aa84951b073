/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { startSandbox } from "../../provider/src/sandbox";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import {
  dependencies,
  endStage,
  hosts,
  own,
  read,
  secret,
  type Stage,
  startStage,
  unhandled,
  unknownOutput,
} from "./stage";

/** Environments of two pull requests of the repository `web`, and one of no pull request. */
const SHOP = environment("1", "shop-pr-7", { pullRequestNumber: 7 });
const CART = environment("2", "cart-pr-8", { pullRequestNumber: 8 });
const MAIN = environment("3", "main", {});
const match = { repoName: "web" };
const each = ({ name }: dynamic.GetEnvironmentsEnvironment): dynamic.PreviewEnvironmentsChildren => ({
  variableSets: { app: { variables: { NAME: name } } },
});

for (const { host, entry, typePrefix } of hosts) {
  const { PreviewEnvironments, Provider } = entry;
  describe(`PreviewEnvironments of ${host}`, () => {
    let calls: pulumi.runtime.MockCallArgs[];
    const begin = (environments: readonly object[], options: { readonly preview?: boolean } = {}): Promise<Stage> => {
      calls = [];
      const call = (args: pulumi.runtime.MockCallArgs): Record<string, unknown> => {
        calls.push(args);
        return { environments };
      };
      return startStage({ ...options, call });
    };
    afterEach(() => endStage());

    it("declares what `each` says for every environment, named after its id, and looks for none of them again", async () => {
      const stage = await begin([SHOP, CART]);
      const made = new PreviewEnvironments("all", { match, each });

      const { value } = await read(made.environments);

      expect(calls.map(({ token, inputs }) => [token, inputs])).to.deep.equal([
        ["previewenv:index:getEnvironments", { ...match, complete: true }],
      ]);
      expect(value?.map(({ name }) => name)).to.deep.equal(["cart-pr-8", "shop-pr-7"]);
      for (const [{ id, name }, others] of [
        [SHOP, 2],
        [CART, 2],
      ] as const) {
        const set = await stage.find(`${id}-app`);
        const branches = await stage.find(`${id}-branches`);
        expect([set.type, branches.type]).to.deep.equal([`${typePrefix}EnvVarSet`, `${typePrefix}EnvironmentBranches`]);
        expect(own(set)).to.deep.equal({ environmentId: id, variables: { NAME: name }, __listed: true });
        expect(branches.inputs).to.include({ __listed: true });
        expect(branches.inputs["environmentId"]).to.equal(id);
        for (const child of [set, branches])
          expect(child.request.getParent()).to.match(/previewenv:index:PreviewEnvironments::all$/u);
        expect(stage.registered.filter((child) => child.name.startsWith(id))).to.have.length(others);
      }
      expect((await stage.find("all")).inputs).to.deep.equal({});
    });

    it("gives id, name, address and the pull request of the repository that matches", async () => {
      await begin([SHOP, { ...MAIN, projects: [...MAIN.projects, { ...MAIN.projects[0], repoName: "api" }] }]);
      const { id, name, url } = SHOP;
      const made = new PreviewEnvironments("all", { match, each });

      expect((await read(made.environments)).value).to.deep.equal([
        { id: MAIN.id, name: MAIN.name, url: MAIN.url },
        { id, name, url, pullRequestNumber: 7 },
      ]);
    });

    it("tells the provider that a list gave the environment, and whether its children go only with it", async () => {
      for (const [onUnlisted, marks] of [
        [{}, [true, true, false]],
        [{ onUnlisted: "keep" }, [true, true, false]],
        [{ onUnlisted: "delete" }, [false, false, false]],
      ] as const) {
        const stage = await begin([SHOP]);
        new PreviewEnvironments("all", { match, each: (one) => ({ ...each(one), state: "running" }), ...onUnlisted });

        const children = await Promise.all(
          ["app", "branches", "state"].map((name) => stage.find(`${SHOP.id}-${name}`)),
        );
        expect(children.map(({ inputs }) => inputs["__listed"])).to.deep.equal(marks);
      }
    });

    it("leaves out what `exclude` says, and asks `each` only about the others", async () => {
      const stage = await begin([SHOP, MAIN]);
      const asked: dynamic.GetEnvironmentsEnvironment[] = [];
      const made = new PreviewEnvironments("all", {
        match,
        exclude: ({ projects }) => projects.every(({ pullRequestNumber }) => pullRequestNumber === undefined),
        each: (one) => (asked.push(one), each(one)),
      });

      expect((await read(made.environments)).value?.map(({ id }) => id)).to.deep.equal([SHOP.id]);
      expect(asked).to.deep.equal([SHOP]);
      expect(stage.registered.map(({ name }) => name).filter((name) => name.startsWith(MAIN.id))).to.deep.equal([]);
    });

    it("declares the same for every environment, with the values that differ, instead of calling `each`", async () => {
      const two = { ...SHOP, projects: [{ ...SHOP.projects[0], repoName: "api", branch: "next" }, ...SHOP.projects] };
      const stage = await begin([two, CART]);
      const sources = { ID: "id", NAME: "name", URL: "url", PR: "pullRequestNumber", BRANCH: "branch" } as const;
      new PreviewEnvironments("all", {
        match,
        variableSets: {
          app: { variables: { LEVEL: "1" }, secrets: { KEY: "k" }, variablesFrom: sources },
          later: { variables: pulumi.secret({ L: "1" }), variablesFrom: { SHOP_ID: "id" } },
        },
        branches: { web: "main" },
        onUnlisted: "delete",
      });

      const app = await stage.find(`${SHOP.id}-app`);
      expect(own(app)).to.deep.equal({
        __listed: false,
        environmentId: SHOP.id,
        variables: { LEVEL: "1", ID: SHOP.id, NAME: "shop-pr-7", URL: SHOP.url, PR: "7", BRANCH: "main" },
        secrets: { KEY: secret("k") },
      });
      expect((await stage.find(`${SHOP.id}-later`)).inputs["variables"]).to.deep.equal(
        secret({ L: "1", SHOP_ID: SHOP.id }),
      );
      expect((await stage.find(`${CART.id}-app`)).inputs["variables"]).to.deep.include({ PR: "8" });
      const branches = await stage.find(`${CART.id}-branches`);
      expect(branches.inputs).to.deep.include({ branches: { web: "main" }, whenStopped: "skip" });
    });

    it("leaves out environments by their names, and those without a pull request", async () => {
      const listed = [SHOP, CART, MAIN];
      for (const [less, names] of [
        [{ excludeNames: ["*-pr-7", "main"] }, ["cart-pr-8"]],
        [{ pullRequestsOnly: true }, ["cart-pr-8", "shop-pr-7"]],
        [{ pullRequestsOnly: true, excludeNames: ["cart*"] }, ["shop-pr-7"]],
      ] as const) {
        await begin(listed);
        const made = new PreviewEnvironments("all", { match, each, ...less });
        expect((await read(made.environments)).value?.map(({ name }) => name)).to.deep.equal(names);
      }
    });

    it("gives its provider and its dependencies to the children, and its provider to the list", async () => {
      const stage = await begin([SHOP]);
      const provider = new Provider("mine", { apiToken: "other" });
      const before = new dynamic.EnvVarSet("before", { environmentId: CART.id, variables: {} });
      new PreviewEnvironments("all", { match, each }, { provider, dependsOn: before });

      for (const name of [`${SHOP.id}-app`, `${SHOP.id}-branches`]) {
        const child = await stage.find(name);
        expect(child.request.getProvider()).to.match(/::mine::/u);
        expect(dependencies(child)).to.include("before");
      }
      if (entry === native) expect(stage.invoked.map((one) => one.getProvider())).to.match(/::mine::/u);
    });

    it("a resource that depends on it waits for all its children", async () => {
      const stage = await begin([SHOP, CART]);
      const made = new PreviewEnvironments("all", { match, each });
      new dynamic.EnvVarSet("after", { environmentId: MAIN.id, variables: {} }, { dependsOn: made });

      expect(dependencies(await stage.find("after"))).to.include.members(
        [SHOP, CART].flatMap(({ id }) => [`${id}-app`, `${id}-branches`]),
      );
    });

    it("declares what `each` returns, and what the arguments say of all else, which by default skip a build", async () => {
      for (const [more, whenStopped] of [
        [{}, "skip"],
        [{ whenStopped: "fail" }, "fail"],
      ] as const) {
        const stage = await begin([SHOP, CART]);
        const all = { branches: { web: "main" }, onDestroy: "restore" } as const;
        const ofCart = { branches: { web: "own" }, whenStopped: "wake" } as const;
        new PreviewEnvironments("all", { match, ...all, ...more, each: ({ id }) => (id === CART.id ? ofCart : {}) });

        expect((await stage.find(`${SHOP.id}-branches`)).inputs).to.deep.include({ ...all, whenStopped });
        expect((await stage.find(`${CART.id}-branches`)).inputs).to.deep.include({ ...all, ...ofCart });
      }
    });

    it("wakes those that sleep, but none that `each` stops", async () => {
      const stage = await begin([SHOP, CART]);
      const stop = { state: "stopped" } as const;
      const made = new PreviewEnvironments("all", {
        match,
        each: (one) => ({ ...each(one), ...(one.id === CART.id && stop) }),
        whenStopped: "wake",
      });

      expect((await read(made.environments)).value).to.have.length(2);
      expect((await stage.find(`${SHOP.id}-branches`)).inputs["whenStopped"]).to.equal("wake");
      expect((await stage.find(`${CART.id}-branches`)).inputs["whenStopped"]).to.equal("skip");
    });

    it("declares in a preview what the `up` will declare", async () => {
      const stage = await begin([SHOP], { preview: true });
      const made = new PreviewEnvironments("all", { match: { repoName: pulumi.output("web") }, each });

      expect((await read(made.environments)).known).to.equal(true);
      expect((await stage.find(`${SHOP.id}-app`)).inputs["environmentId"]).to.equal(SHOP.id);
    });

    it("warns when nothing matches, unless there are deleted environments that do", async () => {
      for (const [deleted, warnings] of [
        [[], 1],
        [[SHOP], 0],
      ] as const) {
        const call = ({ inputs }: pulumi.runtime.MockCallArgs): Record<string, unknown> => ({
          environments: inputs.deleted === true ? deleted : [],
        });
        const stage = await startStage({ call });
        const made = new PreviewEnvironments("all", { match, each });

        expect((await read(made.environments)).value).to.deep.equal([]);
        expect(stage.logged).to.have.length(warnings);
        if (warnings > 0) expect(stage.logged[0]).to.include('no environment matches ({"repoName":"web"})');
        expect(stage.registered.map(({ name }) => name)).to.deep.equal(["all"]);
      }
    });
  });
}

/** Returns this for the environment of the cart, and for the others what is right. */
const forCart =
  (
    wrong: (one: dynamic.GetEnvironmentsEnvironment) => unknown,
    right: (one: dynamic.GetEnvironmentsEnvironment) => unknown = each,
  ) =>
  (one: dynamic.GetEnvironmentsEnvironment): unknown =>
    one.id === CART.id ? wrong(one) : right(one);
const notExcluded = (): boolean => false;
const noLabel = (): never => {
  throw new pulumi.RunError("no label");
};

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
        Reflect.construct(dynamic.PreviewEnvironments, ["all", args]),
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
    const provider = new dynamic.Provider("mine", { baseUrl: sandbox.url, apiToken: sandbox.token });

    const [error] = await unhandled(() => new dynamic.PreviewEnvironments("all", { match, each }, { provider }));

    expect(error).to.be.instanceOf(pulumi.RunError);
    expect(String(error)).to.include("Could not list environments").and.include("403");
    expect(names(stage)).to.have.members(["mine", "all"]);
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

  for (const [what, args, text] of [
    [
      "each throws",
      { each: forCart((one) => Reflect.get(one, "a").b) },
      /TypeError: Cannot read properties of undefined \(reading 'b'\) \(at .*preview-environments\.spec/u,
    ],
    [
      "each returns no object",
      { each: forCart(() => Promise.resolve({})) },
      /each: the arguments must be a plain object/u,
    ],
    [
      "each misspells a property",
      { each: forCart(() => ({ variableSet: {} })) },
      /each: there is no property "variableSet"\. There are: variableSets,/u,
    ],
    [
      "each says something wrong of a set",
      { each: forCart(() => ({ variableSets: { app: { variables: { A: undefined } } } })) },
      /EnvVarSet "22222222-.+-app": variables\.A has no value/u,
    ],
    ["exclude throws", { exclude: forCart(noLabel, notExcluded) }, /no label$/u],
    [
      "exclude returns a promise",
      { exclude: forCart(() => Promise.resolve(false), notExcluded) },
      /exclude must return true or false/u,
    ],
  ] as const)
    it(`when ${what} for one environment, and the others are declared`, async () => {
      const stage = await begin(listed);

      const failure = await failureOf({ match, each, ...args });

      expect(failure).to.include(
        'PreviewEnvironments "all": 1 of 3 environments cannot be declared. This run deletes no resource.',
      );
      expect(failure).to.include(`  - "cart-pr-8" (${CART.id}): `);
      expect(failure).to.match(text);
      const sets = names(stage).filter((name) => name.endsWith("-app"));
      expect(sets).to.have.members([`${SHOP.id}-app`, `${MAIN.id}-app`]);
    });

  for (const [what, app, text] of [
    ["is missing", { variablesFrom: { PR: "pullRequestNumber" } }, "PR: the environment has no pullRequestNumber."],
    ["is none that an environment has", { variablesFrom: { A: "commit" } }, "A must be one of id, name, url, pull"],
    ["is an Output", { variablesFrom: { A: pulumi.output("id") } }, "A must be one of id"],
  ] as const)
    it(`when a value that differs by environment ${what}`, async () => {
      const stage = await begin(() => ({ environments: [MAIN] }));

      expect(await failureOf({ match, variableSets: { app } })).to.contain(`variableSets.app.variablesFrom.${text}`);
      expect(names(stage)).to.deep.equal(["all"]);
    });

  it("when a variable has two values, also when its set is known later", async () => {
    const two = 'variableSets.app: "A" is in variables and in variablesFrom';
    for (const variables of [{ A: "1" }, pulumi.output({ A: "1" })]) {
      await startStage({ call: () => ({ environments: [SHOP] }) });
      const args = { match, variableSets: { app: { variables, variablesFrom: { A: "id" } } } };
      const [error] = await unhandled(() => Reflect.construct(dynamic.PreviewEnvironments, ["all", args]));
      expect(String(error)).to.contain(two);
    }
  });

  it("and names ten environments at most", async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ ...SHOP, id: `${index}`, name: `shop-${index}` }));
    await begin(() => ({ environments: many }));

    const text = await failureOf({ match, each: () => null });

    expect(text.split("\n")).to.have.length(11);
    expect(text).to.match(/^[^\n]*12 of 12 environments/u);
  });
});

/** An environment as getEnvironments answers it. */
function environment(digit: string, name: string, project: { readonly pullRequestNumber?: number }) {
  const projects = [{ repoName: "web", orgName: "acme", branch: "main", commitHash: "c0ffee", ...project }];
  const flags = { processing: false, ready: true, retired: false, deleted: false, stopped: false };
  const id = `${digit.repeat(8)}-1111-4111-8111-111111111111`;
  return { id, name, url: `https://${name}.example`, ...flags, projects };
}
