import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { outputInText } from "../../provider/src/framework/output-in-text";

/** What a template literal makes of a value. */
function text(value: unknown): string {
  return String(value);
}

const output = pulumi.output("hunter2");

/** What the SDKs of Pulumi and the languages make of an Output within a text, as they have it, and the way out of each language. */
const REFUSED: readonly (readonly [what: string, text: string, way: string])[] = [
  ["a template literal", `https://${text(output)}/`, "`pulumi.interpolate`"],
  ["JSON", JSON.stringify({ a: [output] }), "`pulumi.jsonStringify`"],
  ["a part of an address", encodeURIComponent(text(output)), "`pulumi.interpolate`"],
  [
    "the name of a branch",
    text(output)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/gu, "-"),
    "`pulumi.interpolate`",
  ],
  ["the beginning of a text", text(output).slice(0, 32), "`pulumi.interpolate`"],
  [
    "an f-string",
    "x Calling __str__ on an Output[T] is not supported.",
    "`pulumi.Output.format` or `pulumi.Output.concat`",
  ],
  ["a list in Python", "[<pulumi.output.Output object at 0x7f3a>]", "`pulumi.Output.format` or `pulumi.Output.concat`"],
  ["C#", "x Calling [ToString] on an [Output<T>] is not supported.", "`Output.Format`"],
  ["Java", "x Calling 'toString' on an 'Output<T>' is not supported.", "`Output.format`"],
  ["Go by %v", "https://{0xc000137180}/", "`pulumi.Sprintf`"],
  ["Go by %s", "https://{%!s(*internal.OutputState=0xc000137180)}/", "`pulumi.Sprintf`"],
  ["a Promise", `${text(Promise.resolve("hunter2"))}/x`, "Await it"],
  ["an object", `x ${text({ hunter2: 1 })}`, "Name the property of it that is meant"],
];

describe("a text into which a program has put what is no text", () => {
  for (const [what, given, way] of REFUSED)
    it(`is recognised, and the way out is the language's: ${what}`, () => {
      const problem = outputInText(given);
      expect(problem?.endsWith(way), problem).to.equal(true);
      expect(problem).not.to.contain("hunter2");
    });

  it("is none of these", () => {
    for (const given of [
      "",
      "calling it on an output",
      "[object Window]",
      "{0xc0}",
      "Output<T>",
      "Calling str()",
      "%".repeat(99_999),
    ])
      expect(outputInText(given), given.slice(0, 99)).to.equal(undefined);
    // In a time that does not grow with the square of its length.
    expect(outputInText(`calling${"%5B".repeat(99_999)}`)).to.equal(undefined);
  });
});
