import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { expect } from "chai";
import * as ts from "typescript";

const root = path.join(__dirname, "..");

/** The folders of provider/src. Each may import those of the lines above its own, and nothing beside itself. */
const layers = [
  ["installation"],
  ["command"],
  ["client"],
  ["run"],
  ["framework"],
  ["environment"],
  ["env-vars", "builds", "lifecycle"],
  ["resources.ts", "functions"],
  ["components"],
  ["hosts", "drift", "adopt"],
  ["main.ts"],
] as const;

/** The same for the folders of the sandbox, which its index.ts puts together. */
const sandboxLayers = ["domain", "http", "control", "page"];

/** The only file that loads undici. */
const WITH_UNDICI = ["provider/src/client/connections.ts"];

interface Import {
  readonly from: string;
  /** A path below the root, or the name of a package. */
  readonly to: string;
}

/** Every import of the files below a folder: static, dynamic, `require`, and types. */
function importsBelow(folder: string): readonly Import[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => {
      const from = path.join(folder, name).replaceAll(path.sep, "/");
      const { importedFiles } = ts.preProcessFile(readFileSync(path.join(root, from), "utf8"), true, true);
      return importedFiles.map(({ fileName }) => ({
        from,
        to: fileName.startsWith(".") ? path.posix.join(path.posix.dirname(from), fileName) : fileName,
      }));
    });
}

/** The folder of provider/src that a path is in, or the file there. */
function folderOf(file: string): string | undefined {
  const [, , folder] = file.startsWith("provider/src/") ? file.split("/") : [];
  return folder === "resources" ? "resources.ts" : folder;
}

function levelOf(folder: string): number {
  return layers.findIndex((layer) => layer.some((one) => one === folder));
}

describe("imports", () => {
  const provider = importsBelow("provider/src");
  const sdk = importsBelow("sdk/nodejs");

  it("finds them", () => {
    expect(provider.length).to.be.greaterThan(300);
    const folders = new Set(provider.map(({ from }) => folderOf(from)));
    expect([...folders]).to.have.members([...layers.flat(), "sandbox"]);
  });

  it("between the folders of provider/src point one way", () => {
    const against = provider.flatMap(({ from, to }) => {
      const [own, other] = [folderOf(from), folderOf(to)];
      if (own === undefined || other === undefined || own === other || own === "sandbox" || other === "sandbox")
        return [];
      return levelOf(other) < levelOf(own) && levelOf(other) >= 0 ? [] : [`${own} -> ${other}: ${from}`];
    });
    expect(against).to.deep.equal([]);
  });

  it("join the sandbox with nothing but the command of the package", () => {
    const joined = [...provider, ...sdk].filter(
      ({ from, to }) =>
        (folderOf(from) === "sandbox") !== (folderOf(to) === "sandbox") &&
        to.includes("/src/") &&
        folderOf(to) !== "command" &&
        folderOf(from) !== "main.ts",
    );
    expect(joined).to.deep.equal([]);
  });

  it("of the SDK stand where the plugin makes components, and nowhere else in the provider", () => {
    const users = provider.filter(({ to }) => to.startsWith("sdk/")).map(({ from }) => path.posix.dirname(from));
    expect([...new Set(users)]).to.deep.equal(["provider/src/hosts/plugin/components"]);
  });

  it("between the folders of the sandbox point one way", () => {
    const levelIn = (file: string): number =>
      folderOf(file) === "sandbox" ? sandboxLayers.indexOf(file.split("/")[3] ?? "") : -1;
    const inside = provider.filter(({ from, to }) => levelIn(from) >= 0 && folderOf(to) === "sandbox");
    expect(new Set(inside.map(({ from }) => levelIn(from)))).to.have.lengthOf(sandboxLayers.length);
    const against = inside.filter(({ from, to }) => levelIn(to) < 0 || levelIn(to) > levelIn(from));
    expect(against).to.deep.equal([]);
  });

  it("of the SDK reach what its classes and functions need, and else only files that import nothing", () => {
    const others = sdk.filter(({ to }) => !["framework", "functions", undefined].includes(folderOf(to)));
    const importing = new Set(provider.map(({ from }) => from.replace(/\.ts$/u, "")));
    expect(others.filter(({ to }) => importing.has(to) || importing.has(`${to}/index`))).to.deep.equal([]);
  });

  it("of undici stand alone where the connections are", () => {
    const users = [...provider, ...sdk].filter(({ to }) => to === "undici").map(({ from }) => from);
    expect([...new Set(users)]).to.deep.equal(WITH_UNDICI);
  });
});
