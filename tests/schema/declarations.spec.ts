import { expect } from "chai";
import manifest from "../../package.json";
import { components } from "../../provider/src/components";
import { settings } from "../../provider/src/framework/settings";
import { functions } from "../../provider/src/functions";
import { resources } from "../../provider/src/resources";
import { languages } from "../../tools/generate/snippets";
import { entry, namesOf, readSchema } from "./package-schema";

const PREFIX = "previewenv:index:";

describe("provider/schema.json and the declarations", () => {
  const schema = readSchema();

  it("has every resource, every component, every function and every setting, and no other", () => {
    expect(Object.keys(schema.resources)).to.deep.equal([...resources, ...components].map(({ type }) => PREFIX + type));
    expect(Object.keys(schema.functions)).to.deep.equal(functions.map(({ name }) => PREFIX + name));
    expect(Object.keys(schema.config.variables)).to.deep.equal(settings.map(({ name }) => name));
    expect(Object.keys(schema.provider.inputProperties)).to.deep.equal(settings.map(({ name }) => name));
    expect(schema.version).to.equal(manifest.version);
  });

  it("refers to types that are there only", () => {
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"(.*?)"/gu)].map(([, target]) => target ?? "");
    const known = new Set([...Object.keys(schema.types).map((token) => `#/types/${token}`), "pulumi.json#/Any"]);
    expect(references.filter((target) => !known.has(target))).to.deep.equal([]);
    expect(references).to.include("pulumi.json#/Any");
  });

  for (const resource of resources)
    describe(resource.type, () => {
      const spec = entry(schema.resources, PREFIX + resource.type);

      it("marks each secret, as an input and as an output, and nothing else", () => {
        const secrets = resource.secrets.toSorted();
        expect(namesOf(spec.inputProperties, (one) => one.secret === true)).to.deep.equal(secrets);
        expect(namesOf(spec.properties, (one) => one.secret === true)).to.deep.equal(secrets);
      });

      it("marks what replaces the resource, and nothing else", () => {
        const replacing = namesOf(spec.inputProperties, (one) => one.willReplaceOnChanges === true);
        expect(replacing).to.deep.equal(resource.replaceOnChanges.toSorted());
      });

      it("keeps its bookkeeping to itself", () => {
        const shown = Object.keys(spec.properties);
        expect(resource.internals.filter((name) => shown.includes(name))).to.deep.equal([]);
      });

      it("goes on with a resource that the dynamic provider made", () => {
        expect(spec.aliases).to.deep.equal([{ type: `pulumi-nodejs:dynamic/previewenv:${resource.type}` }]);
      });

      it("has an example in every language, and says how to import it", () => {
        for (const language of languages.map(({ name }) => name))
          expect(spec.description).to.contain(`\n\`\`\`${language}\n`);
        expect(spec.description).to.match(/^## Import$/mu);
      });
    });

  for (const { type, plain, inputs } of components)
    it(`${type} takes no Output where children depend on it, and has an example in every language`, () => {
      const spec = entry(schema.resources, PREFIX + type);
      expect(spec.isComponent).to.equal(true);
      expect(namesOf(spec.inputProperties, (one) => one.plain === true)).to.deep.equal(
        plain.filter((name) => Object.hasOwn(inputs.shape, name)).toSorted(),
      );
      for (const language of languages) expect(spec.description).to.contain(`\n\`\`\`${language.name}\n`);
    });

  for (const { name, secret, outputs } of functions)
    it(`${name} is a secret as declared, and has an example in every language`, () => {
      const spec = entry(schema.functions, PREFIX + name);
      const secrets = namesOf(spec.outputs.properties, (one) => one.secret === true);
      expect(secrets).to.deep.equal(secret ? Object.keys(outputs.shape).toSorted() : []);
      for (const language of languages) expect(spec.description).to.contain(`\n\`\`\`${language.name}\n`);
    });

  for (const setting of settings)
    it(`${setting.name} is a secret as declared, and the environment gives it where nothing can leak`, () => {
      const variable = entry(schema.config.variables, setting.name);
      const input = entry(schema.provider.inputProperties, setting.name);
      expect(variable.type).to.equal(setting.type);
      expect(variable.secret ?? false).to.equal(setting.secret);
      expect(input.secret ?? false).to.equal(setting.secret);
      expect(variable.defaultInfo?.environment).to.deep.equal(setting.secret ? undefined : [setting.environment]);
      expect(variable.default).to.equal("default" in setting ? setting.default : undefined);
      // In an explicit provider's inputs, either would become part of state, and outlive the environment it came from.
      expect(input.defaultInfo).to.equal(undefined);
      expect(input.default).to.equal(undefined);
      expect(input.description).to.contain(setting.environment);
    });
});
