import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import manifest from "../../../package.json";
import { replacedPackage } from "../../../provider/src/hosts/plugin/replaced-package";

const DYNAMIC = Struct.fromJavaScript({ __provider: "text", environmentId: "id" });
const NATIVE = Struct.fromJavaScript({ environmentId: "id" });
/** As Pulumi writes it into each SDK for Node. */
const GENERATED = { name: manifest.name, pulumi: { resource: true, name: "previewenv", version: manifest.version } };

describe("a stack of the dynamic provider whose npm package was replaced by a generated SDK", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-replaced-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const install = (content: object): void => {
    const own = join(folder, "node_modules", manifest.name);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "package.json"), JSON.stringify(content));
  };

  it("is refused, with the command that repairs it", () => {
    install(GENERATED);
    expect(replacedPackage(DYNAMIC, folder).join()).to.contain("`npm install pulumi-previewenv`");
  });

  it("is no stack of the plugin, no program with the npm package, and none in another language", () => {
    expect(replacedPackage(DYNAMIC, folder)).to.deep.equal([]);
    install(GENERATED);
    expect(replacedPackage(NATIVE, folder)).to.deep.equal([]);
    expect(replacedPackage(undefined, folder)).to.deep.equal([]);
    install(manifest);
    expect(replacedPackage(DYNAMIC, folder)).to.deep.equal([]);
  });
});
