/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { CART, MAIN, SHOP } from "./environments";
import { endStage, read, type Registered, type Stage, startStage } from "./stage";

const match = { repoName: "web" };
const each = ({ name }: dynamic.GetEnvironmentsEnvironment): dynamic.PreviewEnvironmentsChildren => ({
  variableSets: { app: { variables: { NAME: name } } },
});

for (const [host, { PreviewEnvironments, Provider }, prefix] of [
  ["pulumi-previewenv", dynamic, "pulumi-nodejs:dynamic/previewenv:"],
  ["pulumi-previewenv/native", native, "previewenv:index:"],
] as const)
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
        expect([set.type, branches.type]).to.deep.equal([`${prefix}EnvVarSet`, `${prefix}EnvironmentBranches`]);
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

    it("tells the provider that a list gave the environment, unless what is not listed shall be deleted", async () => {
      for (const [onUnlisted, marks] of [
        [{}, [true, true, undefined]],
        [{ onUnlisted: "keep" }, [true, true, undefined]],
        [{ onUnlisted: "delete" }, [undefined, undefined, undefined]],
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

    it("gives its provider and its dependencies to the children, and its provider to the list", async () => {
      const stage = await begin([SHOP]);
      const provider = new Provider("mine", { apiToken: "other" });
      const before = new dynamic.EnvVarSet("before", { environmentId: CART.id, variables: {} });
      new PreviewEnvironments("all", { match, each }, { provider, dependsOn: before });

      for (const name of [`${SHOP.id}-app`, `${SHOP.id}-branches`]) {
        const { request } = await stage.find(name);
        expect(request.getProvider()).to.match(/::mine::/u);
        expect(dependencies(request)).to.include("before");
      }
      if (prefix === "previewenv:index:") expect(stage.invoked.map((one) => one.getProvider())).to.match(/::mine::/u);
    });

    it("a resource that depends on it waits for all its children", async () => {
      const stage = await begin([SHOP, CART]);
      const made = new PreviewEnvironments("all", { match, each });
      new dynamic.EnvVarSet("after", { environmentId: MAIN.id, variables: {} }, { dependsOn: made });

      const { request } = await stage.find("after");

      expect(dependencies(request)).to.include.members(
        [SHOP, CART].flatMap(({ id }) => [`${id}-app`, `${id}-branches`]),
      );
    });

    it("skips the build of an environment that sleeps, unless the component or `each` says something else", async () => {
      for (const [whenStopped, expected] of [
        [{}, "skip"],
        [{ whenStopped: "fail" }, "fail"],
      ] as const) {
        const stage = await begin([SHOP, CART]);
        const wake = { whenStopped: "wake" } as const;
        new PreviewEnvironments("all", {
          match,
          each: (one) => ({ ...each(one), ...(one.id === CART.id && wake) }),
          ...whenStopped,
        });

        expect((await stage.find(`${SHOP.id}-branches`)).inputs["whenStopped"]).to.equal(expected);
        expect((await stage.find(`${CART.id}-branches`)).inputs["whenStopped"]).to.equal("wake");
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

/** The inputs that are not the dynamic provider's own. */
function own({ inputs }: Registered): Record<string, unknown> {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => name !== "__provider"));
}

function dependencies(request: Registered["request"]): readonly (string | undefined)[] {
  return request.getDependenciesList().map((urn) => urn.split("::").at(-1));
}
