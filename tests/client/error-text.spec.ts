import { expect } from "chai";
import { displayable, readTitles, refusalText } from "../../provider/src/client/error-text";

describe("client/error-text", () => {
  it("says what was attempted, the status, the service's words and what to do", () => {
    expect(refusalText("stop environment 1", 404, ["Not here"])).to.equal(
      'Could not stop environment 1: the service answered 404: "Not here". ' +
        "Check the id, and that the token belongs to the same organization.",
    );
    expect(refusalText("stop environment 1", 400, [])).to.equal(
      "Could not stop environment 1: the service answered 400.",
    );
    expect(refusalText("list environments", 307, [])).to.match(/Redirects are not followed.*previewenv:baseUrl/u);
    expect(refusalText("list environments", 500, [])).to.match(/run the command again later/u);
  });

  it("names for 401 both places of the token and what refresh and destroy use", () => {
    const text = refusalText("list environments", 401, ["Invalid token"]);
    for (const part of [
      "previewenv:apiToken",
      "PREVIEWENV_API_TOKEN",
      "refresh",
      "destroy",
      "pulumi up",
      "--run-program",
    ]) {
      expect(text).to.include(part);
    }
  });

  it("reads the documented error body, and other usual ones", () => {
    const bodies: readonly unknown[] = [
      {
        errors: [
          { status: 400, title: "a" },
          { status: 400, title: "b" },
        ],
      },
      { errors: ["a", 7, { detail: "b" }, { code: 1 }] },
      { errors: { message: "a" } },
      { error: "a" },
      { error: { message: "a" } },
      { message: "a" },
      "a",
      { ok: false },
      [],
      null,
    ];
    expect(bodies.map((body) => readTitles(JSON.stringify(body)))).to.deep.equal([
      ["a", "b"],
      ["a", "b"],
      ["a"],
      ["a"],
      ["a"],
      ["a"],
      ["a"],
      [],
      [],
      [],
    ]);
  });

  it("shows nothing of a body that is not JSON", () => {
    expect(readTitles("<html>502 Bad Gateway</html>")).to.deep.equal([]);
    expect(readTitles("")).to.deep.equal([]);
  });

  it("takes escape sequences, control characters and line breaks out of a text", () => {
    expect(displayable("\u001b[31mred\u001b[0m\r\n\u0007 and \u202eturned\u2028")).to.equal("red and turned");
    expect(displayable("\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007")).to.equal("link");
  });

  it("caps the length", () => {
    const text = displayable("é".repeat(5_000));
    expect(Array.from(text)).to.have.length(300);
    expect(text.endsWith("…")).to.equal(true);
  });

  it("finds a value that only appears once control characters are gone", () => {
    expect(displayable("bad: hun\u0007ter2", ["hun ter2"])).to.equal("bad: [secret]");
  });

  it("shows no piece of a value that the cap would cut", () => {
    const value = "s3cr3t-".repeat(20);
    expect(displayable(`${"x ".repeat(130)}${value}`, [value])).not.to.include("s3cr3t");
    expect(displayable(`${"x ".repeat(240)}${value}${value}`, [value])).not.to.include("s3cr3t");
  });
});
