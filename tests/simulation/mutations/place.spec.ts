import { expect } from "chai";
import { findPlace, type Source } from "./place";
import { tokensOfFile } from "./token";

const mutation = {
  title: "placeholders are sent",
  from: "const send = due.filter(({ value }) => !isPlaceholder(value));",
  to: "const send = due.concat(old);",
  breaks: "invented",
} as const;

function source(text: string, path = "env-vars/plan.ts"): Source {
  return { path, text, tokens: tokensOfFile(path, text) };
}

function broken(...texts: readonly string[]): string {
  return findPlace(
    texts.map((text, index) => source(text, `${index}.ts`)),
    mutation,
  ).broken;
}

describe("simulation: where a deliberate bug is made", () => {
  it("replaces its text and nothing else, in whichever file it is", () => {
    const found = findPlace(
      [source("other();"), source(`// first\nif (a) {\n  ${mutation.from} // last\n}\n`)],
      mutation,
    );
    expect(found.source.path).to.equal("env-vars/plan.ts");
    expect(found.line).to.equal(3);
    expect(found.broken).to.equal("// first\nif (a) {\n  const send = due.concat(old); // last\n}\n");
  });

  it("follows a rename, also in what it writes", () => {
    expect(broken("const wanted = due.filter(({ value }) => !isPlaceholder(value));")).to.equal(
      "const wanted = due.concat(old);",
    );
  });

  it("follows the formatter", () => {
    expect(
      broken("const send = due.filter(\n  ({ value }) =>\n    !isPlaceholder(\n      value,\n    ),\n);"),
    ).to.equal(mutation.to);
  });

  it("takes the place with the most of its names", () => {
    const similar = "const sent = done.filter(({ value }) => !isPlaceholder(value));";
    expect(broken(similar, mutation.from)).to.equal(mutation.to);
    expect(broken(mutation.from, similar)).to.equal(mutation.to);
  });

  for (const [what, texts] of Object.entries({
    "a place with other names": ["const a = b.filter(({ c }) => !d(c));"],
    "another shape": ["const send = due.filter(({ value }) => isPlaceholder(value));"],
    "one name that has become two": ["const send = due.filter(({ value }) => !isPlaceholder(text));"],
  }))
    it(`does not take ${what}, and says which mutation needs a new text, and where its names are`, () => {
      expect(() => broken("other();", ...texts)).to.throw(
        /The mutation "placeholders are sent" is found in no place.*new "from"[^]*1\.ts:1/,
      );
    });

  it("says where it could be when that is more than one place", () => {
    expect(() => broken(mutation.from, mutation.from)).to.throw(/is found in 2 places[^]*0\.ts:1[^]*1\.ts:1/);
  });
});
