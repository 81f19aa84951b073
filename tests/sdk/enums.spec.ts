import { expect } from "chai";
import * as previewenv from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { readSchema } from "../schema/package-schema";

const PREFIX = "previewenv:index:";

// `pulumi import` writes TypeScript such as `state: previewenv.State.Running`, with the names of the package schema.
describe("enums of the TypeScript SDK", () => {
  const enums = Object.entries(readSchema().types).flatMap(([token, { enum: members }]) =>
    members === undefined ? [] : [[token.slice(PREFIX.length), members] as const],
  );

  for (const [name, members] of enums)
    it(`${name} has the members that the package schema names, whichever host is used`, () => {
      const values = Object.fromEntries(members.map((member) => [member.name, member.value]));
      expect(new Map(Object.entries(previewenv)).get(name)).to.deep.equal(values);
      expect(new Map(Object.entries(native)).get(name)).to.deep.equal(values);
    });

  it("are values that arguments take", () => {
    const args: previewenv.EnvironmentStateArgs = { environmentId: "", state: native.State.Running };
    expect(args.state).to.equal("running");
  });
});
