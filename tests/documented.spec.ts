import { expect } from "chai";
import * as z from "zod";
import manifest from "../package.json";
import { settings } from "../provider/src/framework/settings";
import { functions } from "../provider/src/functions";
import { resources } from "../provider/src/resources";
import * as sdk from "../sdk/nodejs";
import installed from "./compatibility/installed/package.json";
import { endpoints } from "./contract/support/specification";
import { fencesOf, read, stepsOf } from "./outside/fences";

const BASE = "/api/v1/environment";

describe("README.md", () => {
  it("gives the same commands for a first `up` as the quickstart's own page, and as the guide", () => {
    const [readme, example, guide] = [
      "README.md",
      "examples/quickstart/README.md",
      "docs/guides/quickstart-typescript.md",
    ].map((page) =>
      fencesOf(page)
        .flatMap(stepsOf)
        .map(({ run }) => run),
    );
    const first = example?.slice(example.indexOf("pulumi stack init dev")) ?? [];
    expect(first).to.have.length(3);
    for (const shown of [readme, guide]) {
      const from = shown?.indexOf("pulumi stack init dev") ?? -1;
      expect(shown?.slice(from, from + first.length)).to.deep.equal(first);
    }
  });
});

describe("docs/installation-configuration.md", () => {
  const page = read("docs/installation-configuration.md");

  it("lists every setting with its environment variable and default", () => {
    for (const setting of settings) {
      const unset = "optional" in setting ? "not set" : "required";
      const value = "default" in setting ? String(setting.default) : unset;
      expect(page).to.contain(`| \`previewenv:${setting.name}\` | \`${setting.environment}\` | ${value} |`);
    }
  });
});

describe("docs/installation-configuration.md and docs/guides/hosts.md", () => {
  const [, typescript = ""] = /@(\d+\.\d+)\./u.exec(installed.dependencies["oldest-typescript"]) ?? [];
  const [, node = ""] = /^>=(\d+\.\d+)/u.exec(manifest.engines.node) ?? [];
  const [, pulumi = ""] = /^>=(\d+\.\d+)/u.exec(manifest.peerDependencies["@pulumi/pulumi"]) ?? [];

  for (const page of ["docs/installation-configuration.md", "docs/guides/hosts.md"])
    it(`${page} names the oldest Node, @pulumi/pulumi and TypeScript, as package.json and the tests have them`, () => {
      expect(read(page))
        .to.contain(`Node ${node}`)
        .and.to.contain(`\`@pulumi/pulumi\` ${pulumi}`)
        .and.to.contain(`\`typescript\` ${typescript}`);
    });
});

describe("docs/endpoints.md", () => {
  it("names for every endpoint what reaches it from a program, and a test that does", () => {
    const rows = [
      ...read("docs/endpoints.md").matchAll(/^\| `([A-Z, ]+?)(?: (\/\S+))?` \| (.+?) \| (tests\/\S+) \|$/gmu),
    ];
    const shown = rows.map(([, methods = "", path = ""]) => `${methods} ${path}`);
    const known = Object.values(endpoints).map(
      ({ methods, path }) => `${methods.join(", ")} ${path.slice(BASE.length)}`,
    );
    expect(shown.toSorted()).to.deep.equal(known.toSorted());
    for (const [, , , means = "", file = ""] of rows) {
      const spec = read(file);
      const names = means.split(", ").map((name) => name.replaceAll("`", ""));
      expect(Object.keys(sdk)).to.include.members(names);
      expect(
        names.some((name) => spec.includes(name)),
        file,
      ).to.equal(true);
    }
  });
});

describe("the types of the TypeScript SDK", () => {
  const generated = functions.filter(({ isWrittenInTypeScript }) => !isWrittenInTypeScript);
  for (const { name, inputs } of [...resources.map((one) => ({ ...one, name: one.type })), ...generated]) {
    const file = name.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "-").toLowerCase();
    it(`${name}: an editor shows the default of each input that has one`, () => {
      const text = read(`sdk/nodejs/generated/${file}.ts`);
      for (const [input, field] of Object.entries(inputs.shape)) {
        const { default: fallback } = z.toJSONSchema(field, { io: "input" });
        const tags =
          text
            .split(new RegExp(`^ +${input}\\?:`, "mu"))[0]
            ?.split("/**")
            .at(-1) ?? "";
        if (fallback === undefined) expect(tags).to.not.contain("@default");
        else expect(tags).to.contain(`@default ${JSON.stringify(fallback)}\n`);
      }
    });
  }
});

describe("docs/reference.md", () => {
  const page = read("docs/reference.md");
  // The class of values that a program may write as text is described with its property.
  const names = Object.entries(sdk).flatMap(([name, value]) =>
    typeof value === "function" && !name.endsWith("Output") ? [name] : [],
  );

  for (const name of names)
    it(`lists ${name}, and has a section with an example`, () => {
      expect(page).to.contain(`| [\`${name}\`](#${name.toLowerCase()}) | `);
      expect(page).to.match(
        new RegExp(
          `^## ${name}\\n(?:(?!^## ).*\\n)*^### Example\\n\\n<!-- part of \\S+ -->\\n\`\`\`typescript\\n`,
          "mu",
        ),
      );
    });
});
