import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "chai";
import { root, programFolders } from "./package-schema";

const SDK = join(root, "sdk", "dotnet");
const sources = readdirSync(SDK, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".cs"))
  .map((file) => readFileSync(join(SDK, file), "utf8"))
  .join("\n");

/** The text of a class or an enum of the SDK, up to its closing brace. */
function declarationOf(name: string): string {
  return new RegExp(`(?:class|struct) ${name}\\b.*?\\n    \\}\\n`, "su").exec(sources)?.[0] ?? "";
}

/** What a program names that the SDK has not. It sets properties at eight spaces, and one call has one list of them. */
function unknownNames(program: string): readonly string[] {
  const calls = program.matchAll(
    /(?:new Preview\.(\w+)\("[^"]*"|Preview\.(\w+)\.Invoke\()[^;]*?new\(\)\n {4}\{\n(.*?)\n {4}\}/gsu,
  );
  const properties = [...calls].flatMap(([, resource, called, body = ""]) => {
    const type = resource === undefined ? `${called ?? ""}InvokeArgs` : `${resource}Args`;
    const known = declarationOf(type);
    return [...body.matchAll(/^ {8}(\w+) =/gmu)]
      .filter(([, property = ""]) => !new RegExp(`public [\\w.<>?, ]+ ${property}\\b`, "u").test(known))
      .map(([, property = ""]) => `${type}.${property}`);
  });
  const members = [...program.matchAll(/Preview\.(\w+)(?:\.(\w+))?/gu)]
    .filter(([, type = "", member]) => !declarationOf(type).includes(member === undefined ? type : ` ${member}`))
    .map(([text]) => text);
  return [...properties, ...members];
}

// There is no compiler of C# here: the release workflow has one.
describe("the examples in C#", () => {
  for (const folder of programFolders("csharp"))
    it(`${basename(folder)} sets and calls what the SDK has`, () => {
      const program = readFileSync(join(folder, "Program.cs"), "utf8");
      expect(program).to.match(/Preview\.\w+/u);
      expect(unknownNames(program)).to.deep.equal([]);
    });

  it("would be found out: a property, a resource, a function and a value that the SDK has not", () => {
    const block = (call: string, property: string): string =>
      `${call}new()\n    {\n        ${property} = 1,\n    });\n`;
    const program =
      block('new Preview.EnvVar("one", ', "Nme") +
      block('new Preview.EnvVars("two", ', "Name") +
      block("Preview.GetEnvironments.Invoke(", "Repo") +
      "Preview.Action.Rebuilt";
    expect(unknownNames(program)).to.have.members([
      "EnvVarArgs.Nme",
      "EnvVarsArgs.Name",
      "GetEnvironmentsInvokeArgs.Repo",
      "Preview.EnvVars",
      "Preview.Action.Rebuilt",
    ]);
  });
});
