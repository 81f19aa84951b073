import { globSync } from "node:fs";
import { expect } from "chai";
import { read, ROOT } from "./outside/fences";

describe("docs/guides/troubleshooting.md", () => {
  // Texts in the sources are split over lines, and have values between their words.
  const sources = globSync("provider/src/**/*.ts", { cwd: ROOT })
    .map((file) =>
      read(file)
        .replaceAll(/["`] \+\n\s*["`]/gu, "")
        .replaceAll(/[`\\]/gu, ""),
    )
    .join("\n");
  const quoted = Array.from(
    read("docs/guides/troubleshooting.md").matchAll(/^### `(.+)`$/gmu),
    ([, text = ""]) => text,
  );

  it("quotes errors", () => expect(quoted.length).to.be.greaterThan(15));

  for (const text of quoted)
    it(`quotes "${text}" as the program prints it`, () => {
      for (const part of text.split("...")) expect(sources).to.contain(part.trim());
    });
});
